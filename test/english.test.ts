import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Avoided, avoided } from './house-english.ts'
import { type Prose, proseOfCode, proseOfMarkdown } from './prose.ts'

const root = path.resolve(import.meta.dirname, '..')
const folders = ['packages', 'gateway-host', 'test', 'tools', 'docs', 'examples', '*.md']
/** These list the words themselves. */
const lists = ['docs/build/style.md', 'docs/build/glossary.md', 'test/house-english.ts', 'test/english.test.ts']

/** Places that are left. Lower it with every change; it ends at zero. */
const most = 0

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...folders], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.(?:ts|mjs|md)$/.test(file) && !lists.includes(file) && existsSync(path.join(root, file)))

/** Returns a line for each avoided word in a file: the place, the word and the better one. */
function findAvoided(file: string, text: string): string[] {
  const prose: Prose[] = file.endsWith('.md') ? proseOfMarkdown(text) : proseOfCode(text)
  return prose.flatMap((piece) =>
    avoided.flatMap(({ pattern, instead, startOfDoc = false, except }: Avoided) => {
      if (except?.test(file)) return []
      const [word] = startOfDoc && !piece.startsDoc ? [] : (piece.text.match(pattern) ?? [])
      return word === undefined ? [] : [`${file}:${piece.line}: "${word}", better: ${instead}`]
    }),
  )
}

describe('plain English', () => {
  it('is read from all sources and documents', () => {
    expect(files.length).toBeGreaterThan(800)
    expect(files).toEqual(expect.arrayContaining(['README.md', 'docs/run/deployment.md', 'tools/scripts/run.mjs']))
  })

  it(`uses the words of docs/build/style.md, with at most ${most} exceptions`, () => {
    const found = files.flatMap((file) => findAvoided(file, readFileSync(path.join(root, file), 'utf8')))
    const places = found.length > most ? found.join('\n') : ''
    expect(places, `${found.length} places, at most ${most}`).toBe('')
  })
})

describe('the list of words', () => {
  it.each([
    ['/** Answers the number of rows. */', 'Answers'],
    ['/**\n * Tells which number sends.\n */', 'Tells'],
    ['// Waits 30 s unless told otherwise.', 'unless told'],
    [`log.warn('starts anew after a fault')`, 'anew'],
    ['const help = `tries it thrice\nand waits in vain`', 'in vain'],
    ['// nobody is left', 'nobody'],
    [`it('goes on after a fault', () => {})`, 'goes on'],
    ['// Counts the rows and answers their sum.', 'answers'],
    ['// The loop looks for work every second.', 'looks for'],
    ['// asks the database for the time', 'asks the database'],
    ['/* The sweep mends lanes. */', 'mends'],
  ])('finds the word in %j', (code, word) => {
    expect(findAvoided('a.ts', code)).toContainEqual(expect.stringContaining(`"${word}"`))
  })

  it('finds words in Markdown, with their line', () => {
    expect(findAvoided('a.md', '# A\n\n```\nnobody\n```\nThe worker goes on.\n')).toEqual([
      'a.md:6: "goes on", better: continue',
    ])
  })

  it.each([
    `const nobody = 'nobody'`,
    '// the answers of the receiver',
    '// looks like a phone number',
    '// see https://example.com/told',
    `const text = \`the \${told} value\``,
    `const url = 'http://127.0.0.1/' // a loopback address`,
  ])('leaves alone %j', (code) => {
    expect(findAvoided('a.ts', code)).toEqual([])
  })
})
