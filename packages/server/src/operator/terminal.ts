/** Where a command of the operator's gets its settings and puts its words. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  write(text: string): void
  complain(text: string): void
  /** The code with which the process ends, once the command is done. */
  end(exitCode: number): void
  /** Ends the process now. */
  leave(exitCode: number): never
}

/** The terminal of this process. */
export const ownTerminal: Terminal = {
  env: process.env,
  write: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
  end(exitCode) {
    process.exitCode = exitCode
  },
  leave: (exitCode) => process.exit(exitCode),
}
