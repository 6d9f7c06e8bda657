import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { usageFailure } from '../errors/exit-codes.ts'
import type { Host } from '../host.ts'

/** Well above the 4,096 characters that a message may have, so that the service judges the length. */
const maxTextBytes = 64 * 1024

/** All of stdin as text, at most `maxBytes`. Throws a usage failure beyond that, or when stdin is a terminal. */
export async function readInput(host: Host, maxBytes: number): Promise<string> {
  if (host.stdin.isTTY) throw usageFailure('There is nothing on stdin.', 'Send it in: echo hello | msgctl ...')
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of host.stdin) {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    bytes += part.byteLength
    if (bytes > maxBytes) throw usageFailure(`What came on stdin is larger than ${maxBytes} bytes.`)
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

/** The same without the line end that `echo` adds. */
export async function readLine(host: Host, maxBytes: number): Promise<string> {
  return (await readInput(host, maxBytes)).replace(/\r?\n$/, '')
}

/** Returns a text as it was typed, or for `-` the text on stdin. Throws as {@link readInput}. */
export async function readText(host: Host, typed: string): Promise<string> {
  return typed === '-' ? readLine(host, maxTextBytes) : typed
}

/** The text of a file, or of stdin for `-`, at most `maxBytes`. Throws a usage failure beyond that, or without the file. */
export async function readFileOrInput(host: Host, file: string, maxBytes: number): Promise<string> {
  return file === '-' ? readInput(host, maxBytes) : readFile(path.resolve(host.cwd, file), file, maxBytes)
}

function readFile(where: string, file: string, maxBytes: number): string {
  try {
    if (statSync(where).size <= maxBytes) return readFileSync(where, 'utf8')
  } catch (error) {
    throw usageFailure(`The file ${file} cannot be read: ${(error as Error).message}`)
  }
  throw usageFailure(`The file ${file} is larger than ${maxBytes} bytes.`)
}
