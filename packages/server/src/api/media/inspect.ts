import { apiError } from '#platform/errors.ts'
import type { Format } from './format.ts'
import { watchText } from './plain-text.ts'
import { isProgram } from './program.ts'
import { headBytes, recognize } from './recognize.ts'
import type { MediaRule } from './rule.ts'

/** The name and type that a file is given by its caller or its server. */
export interface Claims {
  readonly name: string
  readonly contentType: string
}

/** Recognizes a file as it is streamed. `see` and `end` throw SEND_FILE_TYPE_NOT_ALLOWED. */
export function inspect({ name, contentType }: Claims, rule: MediaRule) {
  let chunks: Buffer[] = []
  let sizeBytes = 0
  let format: Format | null = null
  let accepts: (chunk: Buffer) => boolean = () => true
  let complete: () => boolean = () => true

  function judge(): Format {
    const head = Buffer.concat(chunks)
    chunks = []
    const found = recognize(head, name)
    if (found === null || !rule.formats.has(found.name)) throw notAllowed(rule)
    if (found.name === 'text' || found.name === 'csv') {
      demand(!isProgram(name, contentType))
      const watch = watchText(head)
      accepts = watch.accepts
      complete = watch.complete
      demand(accepts(head))
    }
    return found
  }

  function demand(holds: boolean): void {
    if (!holds) throw notAllowed(rule)
  }

  return {
    see(chunk: Buffer): void {
      sizeBytes += chunk.length
      if (format) {
        demand(accepts(chunk))
        return
      }
      chunks.push(chunk)
      if (sizeBytes >= headBytes) format = judge()
    },
    end(): { readonly format: Format; readonly sizeBytes: number } {
      format ??= judge()
      demand(complete())
      return { format, sizeBytes }
    },
  }
}

/** Returns the error for a file that is larger than its way of sending allows. */
export function tooLarge(maxBytes: number) {
  const mib = maxBytes / (1024 * 1024)
  return apiError('SEND_FILE_TOO_LARGE', `The file is larger than the ${mib} MiB that can be sent this way.`, {
    maxBytes,
  })
}

/** Returns the error for a file of a type that its way of sending does not allow. */
export function notAllowed({ allowed }: MediaRule) {
  return apiError('SEND_FILE_TYPE_NOT_ALLOWED', `The file is none of what can be sent this way: ${allowed}.`)
}
