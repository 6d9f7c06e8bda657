/** A stanza as the library has it, or as it was read from the library's text of one. */
export interface Stanza {
  readonly tag: string
  readonly attrs: Readonly<Record<string, string | undefined>>
  readonly content?: readonly Stanza[] | string | Uint8Array | undefined
}

/** What a trace keeps of a stanza: no keys, no texts, no numbers of people. */
export interface Skeleton {
  readonly tag: string
  /** A value that is safe, a name like `pn#3`, or how many characters the value has. */
  readonly attrs?: Readonly<Record<string, string | number>>
  /** How long the content is, where it is no list. */
  readonly length?: number
  readonly children?: readonly Skeleton[]
  /** How many children are left out. */
  readonly more?: number
}

/** Attributes whose values say how a stanza is formed, and nothing of a person. */
const safeAttributes = new Set([
  'action',
  'addressing_mode',
  'appdata',
  'category',
  'class',
  'code',
  'context',
  'count',
  'decrypt-fail',
  'device_fanout',
  'edit',
  'has_more_patches',
  'error',
  'index',
  'key-index',
  'last',
  'mediatype',
  'mode',
  'offline',
  'polltype',
  'push_priority',
  'reason',
  'return_snapshot',
  'stage',
  'state',
  'tag',
  'type',
  'v',
  'version',
  'xmlns',
])
/** A word, or a small number. Longer numbers could name a person. */
const safeValue = /^(?:\d{1,4}|[a-z][\w:./-]{0,40})$/i
const manyDigits = /\d{5}/
const safeName = /^[a-z][\w:.-]{0,40}$/i
const smallNumber = /^\d{1,3}$/
const jid =
  /^(?:(?:([^@:\s]+)(?::(\d{1,3}))?)?@)?(s\.whatsapp\.net|c\.us|lid|hosted|hosted\.lid|g\.us|broadcast|newsletter)$/

const kindsOfJids: Readonly<Record<string, string>> = {
  's.whatsapp.net': 'pn',
  'c.us': 'pn',
  hosted: 'pn',
  lid: 'lid',
  'hosted.lid': 'lid',
  'g.us': 'group',
  broadcast: 'list',
  newsletter: 'channel',
}
const mostChildren = 50
const mostNames = 20_000

/** Names people, groups and messages by numbers, in the order in which a trace meets them. */
export class Names {
  readonly #known = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** Returns the name of something of a kind, the same one each time. The oldest of very many are forgotten. */
  of(kind: string, value: string): string {
    const key = `${kind}/${value}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    const name = `${kind}#${count}`
    this.#counts.set(kind, count)
    this.#known.set(key, name)
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostNames && oldest !== undefined) this.#known.delete(oldest)
    return name
  }
}

/** Returns what a trace keeps of a stanza. */
export function skeletonOf({ tag, attrs, content }: Stanza, names: Names): Skeleton {
  const kept = Object.entries(attrs).flatMap(([name, value]) =>
    value === undefined || !safeName.test(name) ? [] : [[name, keptOf(name, value, names)] as const],
  )
  return {
    tag: safeName.test(tag) ? tag : '?',
    ...(kept.length > 0 ? { attrs: Object.fromEntries(kept) } : {}),
    ...contentOf(content, names),
  }
}

function contentOf(content: Stanza['content'], names: Names): Partial<Skeleton> {
  if (content === undefined) return {}
  if (typeof content === 'string' || content instanceof Uint8Array) return { length: content.length }
  const children = content.slice(0, mostChildren).map((child) => skeletonOf(child, names))
  return { children, ...(content.length > mostChildren ? { more: content.length - mostChildren } : {}) }
}

function keptOf(name: string, value: string, names: Names): string | number {
  const [matched, user, device, server = ''] = jid.exec(value) ?? []
  if (matched !== undefined) {
    // The network itself, and the list of statuses, are no people.
    if (user === undefined || value === 'status@broadcast') return value
    return `${names.of(kindsOfJids[server] ?? 'jid', user)}${device === undefined ? '' : `:${device}`}`
  }
  if (name === 'id') return smallNumber.test(value) ? value : names.of('id', value)
  return safeAttributes.has(name) && safeValue.test(value) && !manyDigits.test(value) ? value : value.length
}
