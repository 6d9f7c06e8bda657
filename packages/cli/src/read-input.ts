import { usageFailure } from './exit-codes.ts'
import type { World } from './world.ts'

/** All of stdin as text, at most `maxBytes`. Throws a usage failure beyond that, or when stdin is a terminal. */
export async function readInput(world: World, maxBytes: number): Promise<string> {
  if (world.stdin.isTTY) throw usageFailure('There is nothing on stdin.', 'Send it in: echo hello | msgctl ...')
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of world.stdin) {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    bytes += part.byteLength
    if (bytes > maxBytes) throw usageFailure(`What came on stdin is larger than ${maxBytes} bytes.`)
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

/** The same without the line end that `echo` adds. */
export async function readLine(world: World, maxBytes: number): Promise<string> {
  return (await readInput(world, maxBytes)).replace(/\r?\n$/, '')
}
