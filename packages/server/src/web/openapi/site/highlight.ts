import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import { escapeHtml, type Html, raw } from './html.ts'

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
