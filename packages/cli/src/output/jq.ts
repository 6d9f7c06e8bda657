import { usageFailure } from '../errors/exit-codes.ts'

/** Applies a jq program to a value and returns its results. Throws a usage error for a program that fails. */
export async function applyJq(program: string, value: unknown): Promise<unknown[]> {
  // Loaded on first use, because few runs need it.
  const { default: jq } = await import('@michaelhomer/jqjs')
  try {
    return [...jq.compile(program)(value)]
  } catch (error) {
    throw usageFailure(`--jq: ${error instanceof Error ? error.message : String(error)}`, 'Example: --jq ".[].status"')
  }
}
