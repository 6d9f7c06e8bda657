import { createInterface } from 'node:readline/promises'

/** The environment and the output streams of an operator's command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  write(text: string): void
  complain(text: string): void
  /** Reads standard input to its end; empty when it is a terminal. */
  readInput(): Promise<string>
  /** Asks a person, who types one line; null without a terminal. */
  ask(question: string): Promise<string | null>
  /** Sets the exit code for the end of the command. */
  end(exitCode: number): void
  /** Exits now. */
  leave(exitCode: number): never
}

/** The terminal of this process. */
export const ownTerminal: Terminal = {
  env: process.env,
  write: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
  async readInput() {
    if (process.stdin.isTTY) return ''
    let text = ''
    for await (const part of process.stdin.setEncoding('utf8')) text += part
    return text
  },
  async ask(question) {
    if (!process.stdin.isTTY) return null
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    return lines.question(question).finally(() => lines.close())
  },
  end(exitCode) {
    process.exitCode = exitCode
  },
  leave: (exitCode) => process.exit(exitCode),
}
