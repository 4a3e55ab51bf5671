import { describe, expect, test } from "vitest";
import { MultipartError, parseMultipart } from "../../scripts/mock/request/multipart.ts";

const parse = (text: string, boundary = "b") =>
  parseMultipart(Buffer.from(text, "latin1"), boundary).map(({ name, contentType, content }) => [
    name,
    contentType,
    content.toString("latin1"),
  ]);

test("parses a FormData as the platform serializes it", async () => {
  const form = new FormData();
  form.append("text", "a\r\nb");
  form.append("file", new File([new Uint8Array([0, 13, 10, 255])], 'na"me;.png', { type: "image/png" }));
  form.append("file", new File([], "", { type: "" }));
  const response = new Response(form);
  const boundary = /boundary=(.*)$/.exec(response.headers.get("content-type") ?? "")?.[1] ?? "";
  const parts = parseMultipart(Buffer.from(await response.arrayBuffer()), boundary);
  expect(parts).toEqual([
    { name: "text", contentType: "text/plain", fileName: undefined, content: Buffer.from("a\r\nb") },
    { name: "file", contentType: "image/png", fileName: "na%22me;.png", content: Buffer.from([0, 13, 10, 255]) },
    { name: "file", contentType: "application/octet-stream", fileName: undefined, content: Buffer.from("") },
  ]);
});

describe("multipart that is valid by RFC 7578 and RFC 2046", () => {
  test.each([
    ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b--\r\n', [["a", "text/plain", "x"]]],
    ["--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b--", [["a", "text/plain", "x"]]],
    [
      'preamble\r\n--b \t\r\ncontent-disposition:form-data; name="a"\r\n\r\n\r\n--b--epilogue',
      [["a", "text/plain", ""]],
    ],
    [
      '--b\r\nContent-Type: image/png\r\nContent-Disposition: form-data; filename="f"; name="a"\r\n\r\nx--b\r\n--b--\r\n',
      [["a", "image/png", "x--b"]],
    ],
    ["--b--\r\n", []],
    [
      `--b\r\n${'Content-Disposition: form-data; name="a"\r\nX: '.padEnd(16 * 1024, "y")}\r\n\r\nx\r\n--b--`,
      [["a", "text/plain", "x"]],
    ],
  ])("is parsed: case %#", (text, parts) => {
    expect(parse(text)).toEqual(parts);
  });
});

describe("invalid multipart", () => {
  test.each([
    ["", "must contain the boundary"],
    ["x--b\r\n", "must contain the boundary"],
    ["--b", "must have a line end"],
    ["--bc\r\n", "must have a line end"],
    ["--b\r\nContent-Disposition: form-data", "must have headers of at most 16 KiB"],
    ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx', "must end with its boundary"],
    ["--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--", "must have a form-data name"],
    ['--b\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--b--', "must have a form-data name"],
    ["--b\r\nA: b\r\n\r\nx\r\n--b--", "must have a form-data name"],
    [
      `--b\r\nContent-Disposition: form-data; name="a"\r\nX: ${"y".repeat(16 * 1024)}\r\n\r\nx\r\n--b--`,
      "must have headers of at most 16 KiB",
    ],
    [
      `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(1001)}--b--`,
      "must not have more than 1000 parts",
    ],
  ])("is refused: case %#", (text, message) => {
    expect(() => parse(text)).toThrow(MultipartError);
    expect(() => parse(text)).toThrow(message);
  });
});
