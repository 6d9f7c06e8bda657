import { Readable } from 'node:stream'
import type Koa from 'koa'
import { yielding } from '#platform/concurrency/yielding.ts'

const partCharacters = 64 * 1024

/**
 * Responds with a body whose lists may be long. Its JSON is built a few entries at a time, and other requests run in
 * between: 16 MB take 200 ms in one step.
 */
export async function serveLong(ctx: Koa.Context, status: number, body: unknown): Promise<void> {
  const parts = await toJsonParts(body as object)
  ctx.status = status
  ctx.type = 'json'
  ctx.body = Readable.from(parts, { objectMode: false })
  ctx.length = parts.reduce((sum, { length }) => sum + length, 0)
}

/** Returns what JSON.stringify returns of an object, in parts. */
export async function toJsonParts(body: object): Promise<Buffer[]> {
  const parts: Buffer[] = []
  const pause = yielding()
  let text = ''
  function write(more: string): void {
    text += more
    if (text.length >= partCharacters) end()
  }
  function end(): void {
    parts.push(Buffer.from(text))
    text = ''
  }

  const fields = Object.entries(body).filter(([, value]) => value !== undefined)
  for (const [nth, [name, value]] of fields.entries()) {
    write(`${nth === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    if (!Array.isArray(value) || value.length === 0) {
      write(JSON.stringify(value))
      continue
    }
    for (const [index, entry] of value.entries()) {
      write(`${index === 0 ? '[' : ','}${JSON.stringify(entry)}`)
      await pause()
    }
    write(']')
  }
  write(fields.length === 0 ? '{}' : '}')
  end()
  return parts
}
