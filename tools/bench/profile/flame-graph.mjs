// A flame graph of a V8 CPU profile as an SVG that shows without a script: one row for each depth of the stack, one box
// for each function that was called there, as wide as its share of the time.

/** @import { Profiler, Runtime } from 'node:inspector' */

/** @typedef {keyof typeof colors} Origin Where a function comes from. */

/**
 * A function in the tree of calls, with its time in microseconds.
 * @typedef {{ name: string, origin: Origin, us: number, children: Map<string, Call> }} Call
 */

const width = 1200
const rowHeight = 17
const headHeight = 44
/** Narrower boxes are left out: they cannot be read, and there are thousands. */
const leastShare = 0.002
const characterWidth = 6.2

/** Colors by where a function comes from. */
const colors = {
  'the service': '#f2a65a',
  'pg and Knex': '#7fb3d5',
  undici: '#b39ddb',
  'other libraries': '#a5d6a7',
  'Node and V8': '#cfd8dc',
}

/**
 * Returns the SVG of a profile (`Profiler.stop` of the inspector). Time without work is left out.
 * @param {Profiler.Profile} profile
 * @param {string} title
 */
export function toFlameGraph(profile, title) {
  const root = mergedTree(profile)
  /** @type {string[]} */
  const boxes = []
  let depth = 0
  /** @param {Call} node @param {number} from @param {number} level */
  const place = (node, from, level) => {
    const share = node.us / root.us
    if (share < leastShare) return
    depth = Math.max(depth, level)
    if (level > 0) boxes.push(box(node, { from, share, level: level - 1 }))
    let next = from
    for (const child of [...node.children.values()].sort((a, b) => b.us - a.us)) {
      place(child, next, level + 1)
      next += child.us / root.us
    }
  }
  place(root, 0, 0)
  const height = headHeight + depth * rowHeight + 8
  const font = 'font-family="monospace" font-size="11"'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${font}>
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="4" y="15" font-size="13">${escaped(title)}</text>
${legend()}
${boxes.join('\n')}
</svg>
`
}

/**
 * Returns the time of each part in microseconds: a function's own time counts for the part that it belongs to.
 * @param {Profiler.Profile} profile
 * @param {(frames: Runtime.CallFrame[]) => string} partOf
 */
export function timeByPart(profile, partOf) {
  /** @type {Map<string, number>} */
  const parts = new Map()
  for (const { frames, us } of stacks(profile)) {
    const part = partOf(frames)
    parts.set(part, (parts.get(part) ?? 0) + us)
  }
  return new Map([...parts].sort(([, a], [, b]) => b - a))
}

/**
 * The samples of a profile with work other than its own, each with its time and its frames from the function that ran
 * up to the first caller.
 * @param {Profiler.Profile} profile
 */
function* stacks({ nodes, samples = [], timeDeltas = [] }) {
  const frameOf = new Map(nodes.map((node) => [node.id, node.callFrame]))
  /** @type {Map<number, number>} */
  const parents = new Map()
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id)
  /** @type {Map<number, number>} */
  const times = new Map()
  for (const [n, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + (timeDeltas[n] ?? 0))
  for (const [id, us] of times) {
    const frames = []
    for (let at = /** @type {number | undefined} */ (id); at !== undefined; at = parents.get(at))
      frames.push(/** @type {Runtime.CallFrame} */ (frameOf.get(at)))
    const isOfProfiler = frames.some(({ url }) => url.startsWith('node:inspector'))
    if (frames[0]?.functionName !== '(idle)' && !isOfProfiler) yield { frames, us }
  }
}

/** @param {Profiler.Profile} profile */
function mergedTree(profile) {
  /** @type {Call} */
  const root = { name: '', origin: 'Node and V8', us: 0, children: new Map() }
  for (const { frames, us } of stacks(profile)) {
    root.us += us
    let at = root
    // The last frame is the root of the profile.
    for (const frame of frames.slice(0, -1).reverse()) {
      const name = nameOf(frame)
      if (!at.children.has(name)) at.children.set(name, { name, origin: originOf(frame), us: 0, children: new Map() })
      at = /** @type {Call} */ (at.children.get(name))
      at.us += us
    }
  }
  return root
}

/** @param {Runtime.CallFrame} frame */
function nameOf({ functionName, url }) {
  const file = url.split('/').slice(-2).join('/')
  return `${functionName || '(anonymous)'}${file && ` ${file}`}`
}

/**
 * @param {Runtime.CallFrame} frame
 * @returns {Origin}
 */
function originOf({ url }) {
  if (/\/(pg|pg-[a-z-]+|knex|tarn)\//.test(url)) return 'pg and Knex'
  if (url.includes('/undici/')) return 'undici'
  if (url.includes('/node_modules/')) return 'other libraries'
  return url.startsWith('file:') ? 'the service' : 'Node and V8'
}

/** @param {Call} call @param {{ from: number, share: number, level: number }} place */
function box({ name, origin, us }, { from, share, level }) {
  const x = (from * width).toFixed(1)
  const w = share * width
  const y = headHeight + level * rowHeight
  const letters = Math.floor((w - 6) / characterWidth)
  const label =
    letters < 3
      ? ''
      : `<text x="${(from * width + 3).toFixed(1)}" y="${y + 12}">${escaped(name.slice(0, letters))}</text>`
  const hint = `${name}: ${(share * 100).toFixed(1)} %, ${(us / 1000).toFixed(0)} ms`
  return (
    `<g><title>${escaped(hint)}</title><rect x="${x}" y="${y}" width="${w.toFixed(1)}" height="${rowHeight - 1}" ` +
    `fill="${colors[origin]}" stroke="#ffffff" stroke-width="0.5"/>${label}</g>`
  )
}

function legend() {
  let x = 4
  return Object.entries(colors)
    .map(([origin, color]) => {
      const entry =
        `<rect x="${x}" y="24" width="10" height="10" fill="${color}"/><text x="${x + 14}" ` + `y="33">${origin}</text>`
      x += 14 + origin.length * characterWidth + 18
      return entry
    })
    .join('')
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
