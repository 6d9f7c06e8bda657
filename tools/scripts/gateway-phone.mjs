// The phones of the test network, for people: npm run gateway -- phone <verb> ...
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { refusal } from './process.mjs'

/**
 * A message as a phone shows it.
 *
 * @typedef {object} Shown
 * @property {string} from
 * @property {string} id
 * @property {Record<string, { text?: string, caption?: string }> & { conversation?: string }} message
 * @property {string} [edited]
 * @property {boolean} [revoked]
 */

/**
 * What each control of the test network returns.
 *
 * @typedef {object} Results
 * @property {unknown} scan
 * @property {unknown} typeCode
 * @property {{ id: string }} write
 * @property {{ id: string }} sendFile
 * @property {{ messages: Shown[] }} transcript
 * @property {{ base64: string }} openFile
 * @property {unknown} receipt
 * @property {unknown} unlink
 */

/** @typedef {<N extends keyof Results>(name: N, body: object) => Promise<Results[N]>} Call */

const usual = '15552000001'

const help = `Usage: npm run gateway -- phone <verb> ...

  scan <number> [qr]             scan the QR of a number that is being linked; without its text, it is read from
                                 standard input
  code <number> <code>           type a pairing code into the phone of the number
  write <number> <text>          write to a linked number, as ${usual} or --from <phone>
  photo <number> <file>          send a photo to a linked number, as ${usual} or --from <phone>
  shows <phone>                  list what a phone has received from linked numbers
  save <phone> <from> <id> <file>  save the file of a message that a phone shows
  read <phone> <from> <id>       read a message, so that its sender sees it
  unlink <number>                remove all linked devices, as on the phone

Numbers and phones are digits with the country code. Phones behave by their last four digits, as in the simulator.
`

/**
 * Returns the arguments without an option, and the value of the option.
 *
 * @param {string[]} args
 * @param {string} name
 */
function takeOption(args, name) {
  const at = args.indexOf(name)
  return at === -1 ? { rest: args, value: undefined } : { rest: args.toSpliced(at, 2), value: args[at + 1] }
}

const digits = (given = '') => given.replaceAll(/[+\s-]/g, '')

/** @type {Record<string, (call: Call, args: string[], from: string) => Promise<void>>} */
const verbs = {
  async scan(call, [number, qr]) {
    await call('scan', { phone: digits(number), qr: (qr ?? (await text(process.stdin))).trim() })
    console.log(`${number} has scanned the QR.`)
  },
  async code(call, [number, code = '']) {
    await call('typeCode', { phone: digits(number), code: code.replaceAll('-', '').toUpperCase() })
    console.log(`The code is typed into the phone of ${number}.`)
  },
  async write(call, [number, ...words], from) {
    const { id } = await call('write', { from, to: digits(number), message: { conversation: words.join(' ') } })
    console.log(`${from} wrote ${id}.`)
  },
  async photo(call, [number, file = ''], from) {
    const { id } = await call('sendFile', {
      from,
      to: digits(number),
      mimetype: 'image/jpeg',
      base64: readFileSync(file).toString('base64'),
    })
    console.log(`Sent the photo ${id}.`)
  },
  async shows(call, [phone]) {
    const { messages } = await call('transcript', { to: digits(phone) })
    for (const { from, id, message, edited, revoked } of messages) {
      const [kind = 'nothing'] = Object.keys(message).filter((name) => name !== 'messageContextInfo')
      const words = message.conversation ?? message.extendedTextMessage?.text ?? message[kind]?.caption ?? ''
      console.log([from, id, kind, revoked ? '(deleted)' : JSON.stringify(edited ?? words)].join('  '))
    }
    if (messages.length === 0) console.log('Nothing yet.')
  },
  async save(call, [phone, from, id, file = '']) {
    const { base64 } = await call('openFile', { by: digits(phone), from: digits(from), id })
    writeFileSync(file, Buffer.from(base64, 'base64'))
    console.log(`Saved ${file}.`)
  },
  async read(call, [phone, from, id]) {
    await call('receipt', { by: digits(phone), from: digits(from), id, type: 'read' })
    console.log(`${phone} has read ${id}.`)
  },
  async unlink(call, [number]) {
    await call('unlink', { phone: digits(number) })
    console.log(`${number} has no linked devices any more.`)
  },
}

/**
 * Does what a person does on a phone, and returns the exit code.
 *
 * @param {string} url
 * @param {string[]} args
 */
export async function controlPhone(url, [verb = 'help', ...args]) {
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (act === undefined) {
    console.log(help)
    if (verb !== 'help') throw refusal(`A phone has no verb ${verb}.`)
    return 0
  }
  /**
   * @template {keyof Results} N
   * @param {N} name
   * @param {object} body
   */
  async function call(name, body) {
    const response = await fetch(`${url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) }).catch(() => {
      throw refusal('The test network is not running. Start it with: npm run gateway -- network')
    })
    const result = /** @type {Results[N] & { error: string }} */ (await response.json())
    if (!response.ok) throw refusal(result.error)
    return result
  }
  const { rest, value = usual } = takeOption(args, '--from')
  await act(call, rest, digits(value))
  return 0
}
