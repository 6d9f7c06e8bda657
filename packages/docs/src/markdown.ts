import { Marked, type Tokens } from 'marked'
import { highlight } from './code.ts'
import { escapeHtml, type Html, raw } from './html.ts'

/** Returns the anchor of a heading, as code hosts make it. */
function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

export interface Heading {
  readonly text: string
  readonly anchor: string
}

/** How a text refers to the rest of the site. Addresses are relative to the page. */
export interface Linker {
  /** The address for a link in the source, or undefined when the site has no such page. */
  link(target: string): string | undefined
  /** The address for code such as `POST /alert/send`, `NOT_FOUND` or `message.read`. */
  code(text: string): string | undefined
}

/** Returns Markdown as HTML. Its first heading is left out, because the page has it as its title. */
export function renderMarkdown(text: string, linker: Linker): { readonly body: Html; readonly headings: Heading[] } {
  const headings: Heading[] = []
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        if (depth === 1) return ''
        const inner = this.parser.parseInline(tokens)
        const words = tokens
          .map(({ raw: source }) => source)
          .join('')
          .replace(/`/g, '')
        const anchor = slugOf(words)
        if (depth === 2) headings.push({ text: words, anchor })
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${inner}</a></h${depth}>\n`
      },
      code({ text: code, lang }: Tokens.Code): string {
        const language = lang ?? ''
        return `<div class="code"><pre tabindex="0"><code>${highlight(code, language).html}</code></pre></div>\n`
      },
      // No text brings HTML of its own.
      html({ text: source }: Tokens.HTML | Tokens.Tag): string {
        return escapeHtml(source)
      },
      codespan({ text: code }: Tokens.Codespan): string {
        const to = linker.code(code)
        const shown = `<code>${escapeHtml(code)}</code>`
        return to === undefined ? shown : `<a href="${escapeHtml(to)}">${shown}</a>`
      },
      link({ href, tokens }: Tokens.Link): string {
        const inner = this.parser.parseInline(tokens)
        const to = linker.link(href)
        return to === undefined ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`
      },
      table(token: Tokens.Table): string {
        const cell = (tag: string, { tokens }: Tokens.TableCell) =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
        const head = token.header.map((one) => cell('th', one)).join('')
        const rows = token.rows.map((row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`).join('')
        const table = `<table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`
        return `<div class="table" tabindex="0">${table}</div>\n`
      },
    },
  })
  const body = raw(marked.parse(text, { async: false }))
  return { body, headings }
}

/** Returns a text of one paragraph or more, with its code and links, for descriptions. */
export function renderText(text: string, linker: Linker): Html {
  // Codes, routes and kinds of events are written without marks in the comments of the routes.
  const marks = /`[^`]*`|\b(?:GET|POST|PUT|DELETE) \/[\w/:{}-]+|\b[A-Z]+(?:_[A-Z]+)+\b|\b[a-z]+\.[a-z_]+\b/g
  const parts = text.split('\n\n').map((paragraph) => {
    const marked = paragraph.replace(marks, (found) =>
      found.startsWith('`') || linker.code(found) === undefined ? found : `\`${found}\``,
    )
    return renderMarkdown(marked, linker).body.html
  })
  return raw(parts.join(''))
}
