// npm run proof [-- NAME ...]: runs one of the long proofs, and lists them without a name.
import { install } from '../scripts/install.mjs'
import { run, tool } from '../scripts/process.mjs'
import { proofs } from './proofs.mjs'

const [name, ...given] = process.argv.slice(2)
const proof = proofs.find((one) => one.name === name)

if (proof === undefined) {
  if (name !== undefined) console.error(`There is no proof ${name}.`)
  console.log('Usage: npm run proof -- NAME [arguments]\n')
  for (const { name, what } of proofs) console.log(`  ${name.padEnd(15)}${plain(what)}`)
  process.exitCode = name === undefined ? 0 : 1
} else {
  const { project, script = '', files = [], args = [], env = {} } = proof
  await install()
  const [program, words] = project
    ? [tool('vitest'), ['run', '--project', project, ...files]]
    : [process.execPath, [script, ...args]]
  process.exitCode = await run(program, [...words, ...given], { env: { ...env, ...process.env } })
}

/**
 * Returns the first sentence of a text in Markdown, without its marks.
 *
 * @param {string} markdown
 */
function plain(markdown) {
  const [sentence = ''] = markdown.split('. ')
  return sentence
    .replace(/ \(\[[^\]]*\]\([^)]*\)\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
}
