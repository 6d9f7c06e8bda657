import { readFileSync } from 'node:fs'
import path from 'node:path'
import { TOTP } from 'otpauth'
import { connectAi } from './connect-ai.ts'
import type { Machine, Ran, Situation } from './machine.ts'

/** One command of a session file with the lines below it, which are what it prints. */
interface Step {
  readonly command: string
  /** As they stand in the file, with comments and empty lines. */
  readonly lines: readonly string[]
}

/** A session file: what stands above the first command, and its commands. */
export interface Session {
  readonly head: readonly string[]
  readonly steps: readonly Step[]
}

/**
 * Reads a session: `$ ` begins a command, `2> ` a line of stderr, `exit N` says how it ends (0 without it), any other
 * line is stdout, and `# ` is a comment. A line `...` stands for any lines.
 */
export function parseSession(text: string): Session {
  const head: string[] = []
  const steps: { command: string; lines: string[] }[] = []
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), lines: [] })
    else (steps.at(-1)?.lines ?? head).push(line)
  }
  return { head, steps }
}

/** Runs the commands of a session in their order. */
export async function runSession(shell: Shell, { steps }: Session): Promise<Ran[]> {
  const all: Ran[] = []
  for (const { command } of steps) all.push(await shell.run(command))
  return all
}

/**
 * Returns the text of the session file: the lines that match what was printed, and what was printed where they do not.
 */
export function renderSession(shell: Shell, { head, steps }: Session, all: readonly Ran[]): string {
  const lines = steps.flatMap((step, n) => {
    const ran = all[n] as Ran
    return [`$ ${step.command}`, ...(isAsPrinted(shell, step, ran) ? step.lines : printedLines(shell, step, ran))]
  })
  return `${[...head, ...lines].join('\n')}\n`
}

const isRemark = (line: string) => line === '' || line.startsWith('#')

function isAsPrinted(shell: Shell, { lines }: Step, ran: Ran): boolean {
  const printed = lines.filter((line) => !isRemark(line))
  const exits = printed.filter((line) => /^exit \d+$/.test(line))
  const stderr = printed.filter((line) => line.startsWith('2> '))
  const stdout = printed.filter((line) => !stderr.includes(line) && !exits.includes(line))
  // A blank line of the file is a remark, so those of the output are not compared.
  const printedOut = ran.stdout.replace(/\n{2,}/g, '\n')
  const pattern = (texts: readonly string[]) => expected(texts.map((text) => shell.expand(text)))
  return (
    pattern(stdout).test(printedOut) &&
    pattern(stderr.map((line) => line.slice(3))).test(ran.stderr) &&
    Number(exits[0]?.slice(5) ?? 0) === ran.exitCode
  )
}

/** The real output with placeholders for what differs from run to run, above the remarks that follow the step. */
function printedLines(shell: Shell, { lines }: Step, { stdout, chunks, exitCode }: Ran): string[] {
  const printed = (chunks ?? [{ to: 'stdout', text: stdout }]).flatMap(({ to, text }) => {
    const mark = to === 'stderr' ? '2> ' : ''
    return shell
      .abbreviate(text)
      .trimEnd()
      .split('\n')
      .map((line) => mark + normalised(line))
  })
  const exit = exitCode === 0 ? [] : [`exit ${exitCode}`]
  const last = lines.findLastIndex((line) => !isRemark(line))
  return [...printed, ...exit, ...lines.slice(last + 1)]
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const instant = '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z'

const placeholders: Readonly<Record<string, string>> = {
  id: uuid,
  time: instant,
  ago: '(?<=^|\\n|  )(?:now|\\d+ (?:s|min|h|d) ago|in \\d+ (?:s|min|h|d))(?=$|\\n|  )',
  short: '[0-9a-f]{8}-[0-9a-f-]{4,27}',
  any: '.*',
  'network-id': '3EB0[0-9A-F]{18}',
  preview: 'ms[kn]_[0-9a-f]{6}\\.\\.\\.',
  'account-key': 'msk_[0-9a-f]{64}',
  'number-key': 'msn_[0-9a-f]{64}',
  secret: 'whsec_[0-9a-f]{64}',
  invoice: '\\b[0-9A-Z]{8}-\\d{4}\\b',
}

/** `short` would match the beginning of an id. */
const recognized = Object.entries(placeholders).filter(([name]) => name !== 'any' && name !== 'short')

/** A line with placeholders. The columns of a table stay where they are. */
function normalised(line: string): string {
  return recognized.reduce(
    (text, [name, pattern]) =>
      text.replace(new RegExp(`(${pattern})( {2,})?`, 'g'), (_whole, value: string, gap: string | undefined) =>
        gap === undefined ? `<${name}>` : `<${name}>${' '.repeat(Math.max(0, value.length - name.length - 2))}${gap}`,
      ),
    line.trimEnd(),
  )
}

/** Two blanks and more divide the columns of a table; how many there are depends on what stands in it. */
function patternOf(line: string): string {
  const escaped = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ {2,}/g, ' {2,}')
  return escaped.replace(/<([\w-]+)>/g, (whole, name: string) => placeholders[name] ?? whole)
}

/** The expected lines as one pattern over the whole text. */
function expected(lines: readonly string[]): RegExp {
  const parts = lines.map((line) => (line === '...' ? '(?:.*\n)*?' : `${patternOf(line)} *\n`))
  return new RegExp(`^${parts.join('')}$`)
}

/** Shorter values of variables may stand in a text by chance. */
const shortestValue = 8

/**
 * Splits a command line as a shell does: blanks, single and double quotes, and backslashes outside of single quotes.
 */
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

/**
 * Returns the code that an authenticator with this secret shows, so many steps of 30 s from now. Take none of the step
 * before: it is refused when the step changes before the code is used.
 */
function codeOf(secret: string, steps: number): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
}

/**
 * The shell around msgctl: variables, `NAME=value` before the command, `echo text |`, `printf 'lines' |`,
 * `totp SECRET STEPS`, `connect-ai`, `make-staff`,
 * `| cat`, `name=$(...)` and `cat`. Its terminal is 200 characters wide unless a
 * session says `# columns 80` above its first command.
 */
export class Shell {
  readonly #variables: Record<string, string>
  readonly #machine: Machine
  readonly #situation: Situation

  constructor(machine: Machine, variables: Readonly<Record<string, string>>, situation: Situation = {}) {
    this.#machine = machine
    this.#situation = situation
    this.#variables = { ...variables }
  }

  /** Returns a shell with the same variables on another machine. */
  on(machine: Machine): Shell {
    return new Shell(machine, this.#variables, this.#situation)
  }

  /** The text with the value of every `$name` that is known. */
  expand(text: string): string {
    return text.replace(/\$(\w+)/g, (whole, name: string) => this.#variables[name] ?? whole)
  }

  /** The text with `$name` for each long value of a variable; the longest values first. */
  abbreviate(text: string): string {
    return Object.entries(this.#variables)
      .filter(([, value]) => value.length >= shortestValue && !value.includes('\n'))
      .sort(([, left], [, right]) => right.length - left.length)
      .reduce((result, [name, value]) => result.replaceAll(value, `$${name}`), text)
  }

  /** Programs read what `$(...)` and a pipe take: no terminal is there. */
  #situationOf(isTerminal: boolean): Situation {
    return isTerminal ? { terminal: true, columns: 200, ...this.#situation } : {}
  }

  /** Runs one line of a session. */
  async run(command: string): Promise<Ran> {
    const line = this.expand(command)
    const capture = /^(\w+)=\$\((.*)\)$/.exec(line)
    if (capture) {
      const ran = await this.#pipe(capture[2] ?? '', false)
      this.#variables[capture[1] ?? ''] = ran.stdout.trim()
      return { ...ran, stdout: '', chunks: ran.chunks?.filter(({ to }) => to === 'stderr') ?? [] }
    }
    return this.#pipe(line, true)
  }

  async #pipe(line: string, isTerminal: boolean): Promise<Ran> {
    if (line.endsWith(' | cat')) return this.#pipe(line.slice(0, -6), false)
    const totp = /^totp (\S+) (-?\d+)$/.exec(line)
    if (totp) return { stdout: `${codeOf(totp[1] ?? '', Number(totp[2]))}\n`, stderr: '', exitCode: 0 }
    if (line === 'connect-ai') return { stdout: `${await connectAi(this.#person())}\n`, stderr: '', exitCode: 0 }
    if (line === 'make-staff') {
      await this.#machine.clock.makeStaff?.(this.#person().email)
      return { stdout: '', stderr: '', exitCode: 0 }
    }
    const printed = /^printf '([^']*)' \| (msgctl .*)$/.exec(line)
    if (printed)
      return this.#msgctl(printed[2] ?? '', isTerminal, { stdin: (printed[1] ?? '').replaceAll('\\n', '\n') })
    const piped = /^echo (.*) \| (msgctl .*)$/.exec(line)
    if (piped) return this.#msgctl(piped[2] ?? '', isTerminal, { stdin: `${words(piped[1] ?? '').join(' ')}\n` })
    if (line.startsWith('cat ')) {
      const stdout = readFileSync(path.join(this.#machine.cwd, line.slice(4)), 'utf8')
      return { stdout, stderr: '', exitCode: 0 }
    }
    return this.#msgctl(line, isTerminal, {})
  }

  #person() {
    const { BASE_URL: baseUrl = '', EMAIL: email = '', PASSWORD: password = '' } = this.#variables
    return { baseUrl, email, password }
  }

  async #msgctl(line: string, isTerminal: boolean, situation: Situation): Promise<Ran> {
    const all = words(line)
    const at = all.indexOf('msgctl')
    if (at === -1) throw new Error(`a session cannot run: ${line}`)
    const env = Object.fromEntries(all.slice(0, at).map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
    const plain = { NO_COLOR: '1', TZ: 'UTC' }
    const shown = this.#situationOf(isTerminal)
    return this.#machine.run(all.slice(at + 1), { ...shown, ...situation, env: { ...plain, ...env } })
  }
}
