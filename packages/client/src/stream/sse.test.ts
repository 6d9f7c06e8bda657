import { describe, expect, it } from 'vitest'
import { type Block, EventParser, EventTooLarge } from './sse.ts'

function parse(...pieces: string[]): Block[] {
  const parser = new EventParser(1_000)
  return pieces.flatMap((piece) => parser.push(piece))
}

const event = (data: string, id?: string): Block => ({ id, data, retryMs: undefined })

describe('EventParser', () => {
  it.each([
    ['an event', 'id: 1\ndata: a\n\n', [event('a', '1')]],
    ['an event without the space after the colon', 'id:1\ndata:a\n\n', [event('a', '1')]],
    ['only the first space as a separator', 'data:  a\n\n', [event(' a')]],
    ['several data lines as one text', 'data: a\ndata\ndata: b\n\n', [event('a\n\nb')]],
    ['lines that end with a carriage return', 'id: 1\rdata: a\r\r', [event('a', '1')]],
    ['lines that end with both', 'id: 1\r\ndata: a\r\n\r\ndata: b\r\n\r\n', [event('a', '1'), event('b')]],
    ['no event from comments', ': heartbeat\n\n:\n\n', []],
    ['no event from unknown fields', 'event: x\nwhat: y\n\n', []],
    ['a position without an event', 'id: 7\n\n', [{ id: '7', data: undefined, retryMs: undefined }]],
    ['a wait', 'retry: 250\n\n', [{ id: undefined, data: undefined, retryMs: 250 }]],
    ['no wait from a wrong number', 'retry: 1e3\n\n', []],
    ['no id that holds a null character', 'id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n', [event('a', '1'), event('b')]],
    ['an empty id as none', 'id: 1\ndata: a\n\nid:\ndata: b\n\n', [event('a', '1'), event('b')]],
    ['nothing of an event that was not ended', 'id: 1\ndata: a\n\nid: 2\ndata: b\n', [event('a', '1')]],
  ])('reads %s', (_, text, blocks) => {
    expect(parse(text)).toEqual(blocks)
  })

  it('reads the same events for any split of the text', () => {
    const text = 'id: 1\r\ndata: one\r\n\r\n: beat\n\nid: 2\ndata: two\ndata: lines\n\nretry: 5\r\rdata: ü\n\n'
    const whole = parse(text)
    expect(whole).toHaveLength(4)
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(parse(text.slice(0, cut), text.slice(cut))).toEqual(whole)
    }
    expect(parse(...text)).toEqual(whole)
  })

  it('rejects a line, or an event of many lines, over its bound', () => {
    const parser = new EventParser(1_000)
    parser.push(`data: ${'x'.repeat(900)}`)
    expect(() => parser.push('x'.repeat(200))).toThrow(EventTooLarge)
    expect(() => parse(`data: ${'x'.repeat(90)}\n`.repeat(11))).toThrow(EventTooLarge)
    expect(parse(`data: ${'x'.repeat(90)}\n\n`.repeat(100))).toHaveLength(100)
  })
})
