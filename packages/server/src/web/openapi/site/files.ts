import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The texts of the site. The sources and the compiled modules read the same files, which are as far from one as from
 * the other. The bundle contains their text instead (scripts/bundle.mjs).
 */
const root = path.join(import.meta.dirname, '../../../../../..')
const assets = path.join(root, 'packages/server/src/web/openapi/assets')
const docs = path.join(root, 'docs/use')

const asset = (name: string) => readFileSync(path.join(assets, name), 'utf8')

/** The style sheet and the scripts, by the name they are served as. */
export const assetFiles: Readonly<Record<string, string>> = {
  'style.css': asset('style.css'),
  'theme.js': asset('theme.js'),
  'page.js': asset('page.js'),
}

/** The guides as Markdown, by their slug. */
export const guideFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    readdirSync(path.join(docs, 'guides'))
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => [path.basename(name, '.md'), readFileSync(path.join(docs, 'guides', name), 'utf8')]),
  ),
  'webhook-signature': readFileSync(path.join(docs, 'webhook-signature.md'), 'utf8'),
}
