import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Machine, Ran, Situation } from './machine.ts'

/** One command of a session file, and what the file says it answers. */
export interface Step {
  readonly line: number
  readonly command: string
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  readonly exitCode: number
}

/**
 * Reads a session: `$ ` begins a command, `2> ` a line of stderr, `exit N` says how it ends (0 without it), any other
 * line is stdout, and `# ` is a comment. A line `...` stands for any lines.
 */
export function parseSession(text: string): Step[] {
  const steps: (Step & { stdout: string[]; stderr: string[]; exitCode: number })[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('#') || line === '') continue
    const step = steps.at(-1)
    if (line.startsWith('$ '))
      steps.push({ line: index + 1, command: line.slice(2), stdout: [], stderr: [], exitCode: 0 })
    else if (step === undefined) throw new Error(`line ${index + 1}: a session begins with a command`)
    else if (line.startsWith('2> ')) step.stderr.push(line.slice(3))
    else if (/^exit \d+$/.test(line)) step.exitCode = Number(line.slice(5))
    else step.stdout.push(line)
  }
  return steps
}

const placeholders: Readonly<Record<string, string>> = {
  id: '[0-9a-f]{8}-[0-9a-f-]{27}',
  time: '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
  any: '.*',
  'account-key': 'msk_[0-9a-f]{64}',
  'number-key': 'msn_[0-9a-f]{64}',
  secret: 'whsec_[0-9a-f]{64}',
}

/** Two blanks and more divide the columns of a table; how many there are depends on what stands in it. */
function patternOf(line: string): string {
  const escaped = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ {2,}/g, ' {2,}')
  return escaped.replace(/<([\w-]+)>/g, (whole, name: string) => placeholders[name] ?? whole)
}

/** The expected lines as one pattern over the whole text. */
export function expected(lines: readonly string[]): RegExp {
  const parts = lines.map((line) => (line === '...' ? '(?:.*\\n)*?' : `${patternOf(line)} *\\n`))
  return new RegExp(`^${parts.join('')}$`)
}

/** Splits a command line as a shell does: blanks, single and double quotes, and backslashes outside of single quotes. */
function words(line: string): string[] {
  const found: string[] = []
  for (const match of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)) {
    found.push(
      match[0].replace(
        /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
        (_whole, single, double, escaped) =>
          single ?? (double === undefined ? escaped : double.replace(/\\(.)/g, '$1')),
      ),
    )
  }
  return found
}

/** The shell around msgctl: variables, `NAME=value` before the command, `echo text |`, `name=$(...)` and `cat`. */
export class Shell {
  readonly #variables: Record<string, string>
  readonly #machine: Machine
  readonly #situation: Situation

  constructor(machine: Machine, variables: Readonly<Record<string, string>>, situation: Situation = {}) {
    this.#machine = machine
    this.#situation = situation
    this.#variables = { ...variables }
  }

  /** The text with the value of every `$name` that is known. */
  expand(text: string): string {
    return text.replace(/\$(\w+)/g, (whole, name: string) => this.#variables[name] ?? whole)
  }

  /** Runs one line of a session. */
  async run(command: string): Promise<Ran> {
    const line = this.expand(command)
    const capture = /^(\w+)=\$\((.*)\)$/.exec(line)
    if (capture) {
      const ran = await this.#pipe(capture[2] ?? '')
      this.#variables[capture[1] ?? ''] = ran.stdout.trim()
      return { ...ran, stdout: '' }
    }
    return this.#pipe(line)
  }

  async #pipe(line: string): Promise<Ran> {
    const piped = /^echo (.*) \| (msgctl .*)$/.exec(line)
    if (piped) return this.#msgctl(piped[2] ?? '', { stdin: `${words(piped[1] ?? '').join(' ')}\n` })
    if (line.startsWith('cat ')) {
      const stdout = readFileSync(path.join(this.#machine.cwd, line.slice(4)), 'utf8')
      return { stdout, stderr: '', exitCode: 0 }
    }
    return this.#msgctl(line, {})
  }

  async #msgctl(line: string, situation: Situation): Promise<Ran> {
    const all = words(line)
    const at = all.indexOf('msgctl')
    if (at === -1) throw new Error(`a session cannot run: ${line}`)
    const env = Object.fromEntries(all.slice(0, at).map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
    return this.#machine.run(all.slice(at + 1), { ...this.#situation, ...situation, env })
  }
}
