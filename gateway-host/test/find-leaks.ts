// Searches what hosts wrote for keys and texts: `node find-leaks.js <folder>`, with the evidence that npm run proof --
// direct collects.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Evidence, findLeaks } from './leak-search.ts'

const [folder = '.'] = process.argv.slice(2)
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
const totals = { hosts: 0, characters: 0, keys: 0, texts: 0 }
const leaks: string[] = []
for (const name of names) {
  const output = readFileSync(path.join(folder, `${name}.log`), 'utf8')
  const evidence = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as Evidence
  const found = findLeaks(output, evidence)
  totals.hosts += output.split('"event":"listening"').length - 1
  totals.characters += output.length
  totals.keys += found.keys
  totals.texts += found.texts
  leaks.push(...found.leaks)
}
const { hosts, characters, keys, texts } = totals
process.stdout.write(
  `Leaks: ${leaks.length} in ${characters} characters of ${hosts} hosts, searched for ${keys} keys and ` +
    `${texts} texts.\n`,
)
for (const leak of leaks.slice(0, 20)) process.stdout.write(`  ${leak}\n`)
// Without hosts, keys or texts the search proves nothing.
process.exitCode = leaks.length > 0 || [hosts, keys, texts].includes(0) ? 1 : 0
