import { readFileSync } from 'node:fs'
import { contract, errors, type Route } from '@msgctl/contract'
import { head, shapeOf } from './calls-text.ts'

/** Returns the file of the fields that each call of a table takes, which the client checks before it sends. */
export function fieldNamesText(table: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const resources = Object.keys(table).map((resource) => {
    const routes = Object.entries<Route>(contract[resource as keyof typeof contract])
    const lines = routes.flatMap(([name, { params, query, body }]) => {
      const names = [params, query, body].flatMap((schema) => Object.keys(shapeOf(schema)))
      return names.length === 0 ? [] : [`    ${name}: '${names.join(' ')}',\n`]
    })
    return `  ${resource}: {\n${lines.join('')}  },\n`
  })
  return (
    `${head}\n` +
    '/** The names of the fields of each call, with a blank between them; calls without fields are left out. */\n' +
    `export const fieldNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n${resources.join('')}}\n`
  )
}

/** Returns the file with the version of this package. */
export function versionText(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return `${head}\n/** The version of this package. */\nexport const version = '${version}'\n`
}

/** Returns the file of the retry classes: those of the codes whose class does not follow from their status. */
export function retryClassesText(): string {
  const entries = Object.entries(errors)
    .filter(([, { retry, status }]) => retry !== (status >= 500 ? 'unknown' : 'never'))
    .map(([code, { retry }]) => `  ${code}: '${retry}',\n`)
  return [
    `${head}\n`,
    '/** The retry classes of codes. Any other code is `unknown` with status 500 or above, and `never` below. */\n',
    `export const retryClasses: Readonly<Record<string, 'safe' | 'quota' | 'unknown' | 'never'>> = {\n` +
      `${entries.join('')}}\n`,
  ].join('')
}
