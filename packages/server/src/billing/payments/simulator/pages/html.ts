/** A piece of a page, whose texts are escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function textOf(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(textOf).join('')
  if (value === null || value === undefined || value === false) return ''
  return String(value).replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
}

/** Makes a piece of a page: what is put in is escaped, unless it is a piece itself. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${textOf(values[index - 1])}${part}`))
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 34rem; padding: 1.5rem 1rem 3rem; }
  .note { background: #ffe08a; color: #3d2c00; border-radius: 6px; padding: .5rem .75rem; }
  table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
  td { padding: .35rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
  td:last-child { text-align: end; white-space: nowrap; padding-inline-start: 1rem; }
  tr.total td { font-weight: 600; border-bottom: 0; }
  button { font: inherit; text-align: start; width: 100%; margin: .25rem 0; padding: .6rem .75rem; border-radius: 6px;
    border: 1px solid #8888; background: Canvas; color: CanvasText; cursor: pointer; }
  button:hover, button:focus-visible { border-color: #0a66c2; outline: 2px solid #0a66c2; }
  button b { font-variant-numeric: tabular-nums; }
  label { display: block; margin: .5rem 0; } input[type=text] { box-sizing: border-box; font: inherit; width: 100%;
    padding: .4rem; }
  .bad { color: #b3261e; } .good { color: #146c2e; }
  @media (prefers-color-scheme: dark) { .bad { color: #ffb4ab; } .good { color: #7fdb94; } }
`

/** Returns a whole page. It has no script, and loads nothing. */
export function wholePage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
<body>
<p class="note">Simulated payments: no money moves. A real provider has a page of its own here.</p>
<h1>${title}</h1>
${body}
</body>
</html>
`.text
}
