import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { usageFailure } from '../errors/exit-codes.ts'
import type { Host } from '../host.ts'

/** Far above the 4,096 characters of a message, so that the service checks the length. */
const maxTextBytes = 64 * 1024

/** Reads stdin as text. Throws a usage error above `maxBytes`, or when stdin is a terminal. */
export async function readInput(host: Host, maxBytes: number): Promise<string> {
  if (host.stdin.isTTY) throw usageFailure('There is no input on stdin.', 'Pipe it in: echo hello | msgctl ...')
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of host.stdin) {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    bytes += part.byteLength
    if (bytes > maxBytes) throw usageFailure(`The input on stdin is larger than ${maxBytes} bytes.`)
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

/** Reads stdin without the line end that `echo` adds. */
export async function readLine(host: Host, maxBytes: number): Promise<string> {
  return (await readInput(host, maxBytes)).replace(/\r?\n$/, '')
}

/** Returns the argument, or for `-` the text on stdin. Throws like {@link readInput}. */
export async function readText(host: Host, typed: string): Promise<string> {
  return typed === '-' ? readLine(host, maxTextBytes) : typed
}

/** Reads a file, or stdin for `-`. Throws a usage error above `maxBytes`, or when the file cannot be read. */
export async function readFileOrInput(host: Host, file: string, maxBytes: number): Promise<string> {
  return file === '-' ? readInput(host, maxBytes) : readFile(path.resolve(host.cwd, file), file, maxBytes)
}

function readFile(where: string, file: string, maxBytes: number): string {
  try {
    if (statSync(where).size <= maxBytes) return readFileSync(where, 'utf8')
  } catch (error) {
    throw usageFailure(`Cannot read the file ${file}: ${(error as Error).message}`)
  }
  throw usageFailure(`The file ${file} is larger than ${maxBytes} bytes.`)
}
