// Draws docs/images/terminal.svg from docs/images/terminal.txt, a recorded terminal session. Lines that start with `$ `
// are commands. To record another session, replace the text and run `node scripts/terminal-svg.mjs`.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './process.mjs'

const folder = path.join(root, 'docs/images')
const lineHeight = 20
const charWidth = 8.4
const padding = 20
const titleBar = 36

const colors = { prompt: '#7ee787', command: '#ffffff', output: '#c9d1d9', error: '#ff7b72', background: '#0d1117' }
const buttons = ['#ff5f56', '#ffbd2e', '#27c93f']

/** @param {string} text */
const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * @param {string} color
 * @param {string} text
 * @param {string} [weight]
 */
function span(color, text, weight = '') {
  return `<tspan fill="${color}"${weight}>${escapeXml(text)}</tspan>`
}

/** @param {string} line */
function content(line) {
  if (line.startsWith('$ ')) {
    return span(colors.prompt, '$ ') + span(colors.command, line.slice(2), ' font-weight="bold"')
  }
  return span(/^(?:Error:|failed$|Status +failed$)/.test(line) ? colors.error : colors.output, line)
}

/**
 * Returns a recorded session as the text of an SVG picture.
 *
 * @param {string} session
 */
export function terminalSvg(session) {
  const lines = session.trimEnd().split('\n')
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * charWidth) + 2 * padding
  const height = titleBar + lines.length * lineHeight + padding
  const dots = buttons.map((fill, index) => `<circle cx="${22 + 20 * index}" cy="18" r="6" fill="${fill}"/>`)
  const rows = lines.flatMap((line, index) => {
    const y = titleBar + (index + 1) * lineHeight
    return line === '' ? [] : [`<text x="${padding}" y="${y}" xml:space="preserve">${content(line)}</text>`]
  })
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="A terminal session with msgctl">
<rect width="${width}" height="${height}" rx="8" fill="${colors.background}"/>
${dots.join('\n')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
${rows.join('\n')}
</g>
</svg>
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const session = readFileSync(path.join(folder, 'terminal.txt'), 'utf8')
  writeFileSync(path.join(folder, 'terminal.svg'), terminalSvg(session))
}
