/** The page at the root of the site, which goes to the edition that is recommended. */
import { renderToString } from "preact-render-to-string";
import { pagePolicy } from "../server/policy.ts";

const recommended = "latest/index.html";

interface Props {
  /** The name of the interface. */
  title: string;
  /** Path of the icon, below the folder of the site. */
  icon: string;
}

/** The HTML of the page: it goes on by itself, without a script, and has a link where that is switched off. */
export function renderRootPage(props: Props): string {
  return `<!doctype html>\n${renderToString(<RootPage {...props} />)}\n`;
}

function RootPage({ title, icon }: Props) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={pagePolicy} />
        <meta http-equiv="refresh" content={`0; url=${recommended}`} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href={icon} type="image/svg+xml" />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          <p>
            <a href={recommended}>Go to the reference</a>
          </p>
        </main>
      </body>
    </html>
  );
}
