/** The files of a built site as they are now, kept in memory with their compressed forms. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A content coding of HTTP. */
export type Coding = "br" | "gzip";

/** A file as it was when it was read. */
export interface SiteFile {
  /** Below the folder of the site, such as `operations/index.html`. */
  readonly path: string;
  readonly content: Buffer;
  /** Names the content. */
  readonly hash: string;
  /** The content in a coding. It is compressed once. */
  encoded(coding: Coding): Promise<Buffer>;
}

/** Bytes of files, before compression, that are kept; beyond that, those that were not asked for the longest time go. */
const mostKept = 64 * 1024 * 1024;

export class SiteFiles {
  readonly #folder: string;
  /** By path, the one that was asked for last at the end. */
  readonly #kept = new Map<string, { version: string; file: SiteFile }>();
  #bytes = 0;

  /** @param folder absolute path of the built site. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether there is a site. There is none for a moment while a build puts a new folder in the place of the old one. */
  get isThere(): boolean {
    return existsSync(this.#folder);
  }

  /**
   * The file for the path of a URL; for a path that ends with a slash, the `index.html` of that folder.
   *
   * @returns undefined when there is no such file. Hidden files, symbolic links and what is outside of the folder are none.
   * @throws {Error} when a file that is there cannot be read.
   */
  find(urlPath: string): SiteFile | undefined {
    const path = toFilePath(urlPath);
    if (path === undefined) return undefined;
    try {
      return this.#read(path);
    } catch (error) {
      this.#forget(path);
      if (["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"].includes(String((error as { code?: unknown }).code)))
        return undefined;
      throw error;
    }
  }

  /** Without waiting, so that no other request comes between looking at a file and reading it. */
  #read(path: string): SiteFile | undefined {
    const name = join(this.#folder, path);
    if (realpathSync(name) !== join(realpathSync(this.#folder), path)) return undefined;
    const stats = statSync(name, { bigint: true });
    if (!stats.isFile()) return undefined;
    const version = [stats.ino, stats.size, stats.ctimeNs].join("-");
    const kept = this.#kept.get(path);
    const file = kept?.version === version ? kept.file : makeFile(path, readFileSync(name));
    this.#forget(path);
    this.#kept.set(path, { version, file });
    this.#bytes += file.content.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= mostKept) break;
      this.#forget(oldest);
    }
    return file;
  }

  #forget(path: string): void {
    this.#bytes -= this.#kept.get(path)?.file.content.length ?? 0;
    this.#kept.delete(path);
  }
}

/** The path below the folder; undefined for one that could lead out of it, or to a hidden file. */
function toFilePath(urlPath: string): string | undefined {
  const [first, ...segments] = (urlPath.endsWith("/") ? `${urlPath}index.html` : urlPath).split("/");
  if (first !== "") return undefined;
  try {
    const names = segments.map(decodeURIComponent);
    return names.every((name) => /^[^./\\\0][^/\\\0]*$/.test(name)) ? names.join("/") : undefined;
  } catch {
    // A percent sign that encodes nothing.
    return undefined;
  }
}

const compress: Record<Coding, (content: Buffer) => Promise<Buffer>> = {
  // Above 6 a page becomes 3 % smaller at most and takes several times as long; 6 takes 0.1 s for 3 MB.
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  gzip: (content) => promisify(gzip)(content),
};

function makeFile(path: string, content: Buffer): SiteFile {
  const encoded = new Map<Coding, Promise<Buffer>>();
  return {
    path,
    content,
    hash: createHash("sha256").update(content).digest("base64url").slice(0, 22),
    encoded(coding) {
      const known = encoded.get(coding) ?? compress[coding](content);
      encoded.set(coding, known);
      return known;
    },
  };
}
