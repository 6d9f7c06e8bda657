import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import type { PlacedOperation } from './document.ts'
import { escapeHtml, type Html, html, raw } from './html.ts'

hljs.registerLanguage('sh', bash)
hljs.registerLanguage('json', json)
hljs.registerLanguage('python', python)
hljs.registerLanguage('ts', typescript)

const languages: Readonly<Record<string, string>> = { shell: 'sh', bash: 'sh', typescript: 'ts' }

/** Returns code with its words marked for the style sheet. Code in an unknown language is only escaped. */
export function highlight(code: string, language: string): Html {
  const name = languages[language.toLowerCase()] ?? language.toLowerCase()
  if (!hljs.getLanguage(name)) return raw(escapeHtml(code))
  return raw(hljs.highlight(code, { language: name }).value)
}

/** Returns code in a box. */
function codeBox(code: string, language: string, title?: string): Html {
  return html`<div class="code">${title !== undefined && html`<p class="code-title">${title}</p>`}
    <pre tabindex="0"><code>${highlight(code, language)}</code></pre></div>`
}

/** Returns a value as JSON in a box. */
export function jsonBox(value: unknown, title: string): Html {
  return codeBox(JSON.stringify(value, null, 2), 'json', title)
}

/** Returns the samples of an operation. The script shows one language, without it all of them are there. */
export function samplesOf({ 'x-codeSamples': samples }: PlacedOperation): Html {
  const tabs = samples.map(({ label }) => html`<button type="button" data-language="${label}">${label}</button>`)
  const boxes = samples.map(
    ({ label, lang, source }) =>
      html`<div class="sample" data-language="${label}">${codeBox(source, lang === 'Shell' ? 'sh' : lang)}</div>`,
  )
  return html`<div class="samples"><div class="tabs" role="group" aria-label="Language of the samples">${tabs}</div>
    ${boxes}</div>`
}
