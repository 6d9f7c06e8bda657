/** One block of server-sent events: an event if it has data, otherwise only a position or a reconnect delay. */
export interface Block {
  /** The id of this block, not one inherited from an earlier block. */
  readonly id: string | undefined
  readonly data: string | undefined
  /** The reconnect delay that the server requests. */
  readonly retryMs: number | undefined
}

/** Thrown when an event is longer than the bound of the parser. */
export class EventTooLarge extends Error {
  constructor(maxLength: number) {
    super(`An event of the stream is longer than ${maxLength} characters.`)
    this.name = 'EventTooLarge'
  }
}

/**
 * Parses server-sent events (WHATWG HTML, "Server-sent events"). Text can be pushed in any pieces. An event is returned
 * only after its blank line, so a broken connection never yields half an event.
 */
export class EventParser {
  #line = ''
  #afterReturn = false
  #id: string | undefined
  #data: string[] = []
  #dataLength = 0
  #retryMs: number | undefined
  readonly #maxLength: number

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** Returns the blocks that `text` completes. Throws {@link EventTooLarge}. */
  push(text: string): Block[] {
    const blocks: Block[] = []
    let start = 0
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      const wasReturn = this.#afterReturn
      this.#afterReturn = unit === 13
      if (unit === 10 && wasReturn) {
        start = at + 1
      } else if (unit === 10 || unit === 13) {
        this.#endLine(this.#line + text.slice(start, at), blocks)
        this.#line = ''
        start = at + 1
      }
    }
    this.#line += text.slice(start)
    if (this.#line.length + this.#dataLength > this.#maxLength) throw new EventTooLarge(this.#maxLength)
    return blocks
  }

  #endLine(line: string, blocks: Block[]): void {
    if (line === '') {
      this.#endBlock(blocks)
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') this.#addData(value)
    else if (field === 'id' && value !== '' && !value.includes('\0')) this.#id = value
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.#retryMs = Number(value)
  }

  #addData(value: string): void {
    this.#dataLength += value.length + 1
    if (this.#dataLength > this.#maxLength) throw new EventTooLarge(this.#maxLength)
    this.#data.push(value)
  }

  #endBlock(blocks: Block[]): void {
    const data = this.#data.length > 0 ? this.#data.join('\n') : undefined
    const block = { id: this.#id, data, retryMs: this.#retryMs }
    if (Object.values(block).some((value) => value !== undefined)) blocks.push(block)
    this.#id = undefined
    this.#data = []
    this.#dataLength = 0
    this.#retryMs = undefined
  }
}
