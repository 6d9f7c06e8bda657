// What an installation of many numbers needs: its busiest hour is played, second by second, with costs that were
// measured.

/** @typedef {'postgres' | 'api' | 'worker'} Part What a message costs the time of. */

/** @typedef {'accept' | 'campaign' | 'send' | 'receipt' | 'receive' | 'webhook'} Step */

/** @typedef {Record<Step, Partial<Record<Part, number>>>} Costs Milliseconds of CPU. */

/** @typedef {typeof usual} Use How numbers are used. */

const hourSeconds = 3600

/**
 * How numbers are used. The figures are a busy shop's: 200 texts and 60 replies a day for each number, a sixth of them
 * in the busiest hour, and one number of a hundred that begins a campaign of 1,000 in that hour, more of them in its
 * first minutes.
 */
export const usual = {
  textsInHour: 33,
  repliesInHour: 10,
  campaigns: 0.01,
  campaignSize: 1000,
  /** Seconds between two texts of one number: the pace of a person, typing included. */
  pace: /** @type {[least: number, most: number]} */ ([4, 10]),
  receiptsForText: 2,
  webhooksForText: 3,
}

/**
 * Returns numbers from 0 to 1 that are the same in each run.
 * @param {number} seed
 */
function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Plays the busiest hour of so many numbers. Returns for each second how many texts are accepted one by one, for how
 * many recipients campaigns begin, how many texts leave at the pace of their numbers, and how many replies arrive. A
 * text that is due after the hour is not counted as leaving.
 * @param {number} numbers
 */
export function playHour(numbers, use = usual, seed = 1) {
  const random = seeded(seed)
  const accepted = new Float64Array(hourSeconds)
  const begun = new Float64Array(hourSeconds)
  const leaving = new Float64Array(hourSeconds)
  const replies = new Float64Array(hourSeconds)
  // Numbers, not texts, are many: the seconds of the texts of one number are written over those of the number before.
  const times = new Uint16Array(use.textsInHour)
  for (let number = 0; number < numbers; number += 1) {
    const beginsCampaign = random() < use.campaigns
    const campaignAt = beginsCampaign ? Math.floor(random() ** 2 * hourSeconds) : hourSeconds
    if (beginsCampaign) add(begun, campaignAt, use.campaignSize)
    for (let n = 0; n < times.length; n += 1) times[n] = Math.floor(random() * hourSeconds)
    times.sort()
    for (const second of times) add(accepted, second, 1)
    depart(leaving, { times, campaignAt, beginsCampaign, use, random })
    for (let n = 0; n < use.repliesInHour; n += 1) add(replies, Math.floor(random() * hourSeconds), 1)
  }
  return { accepted, begun, leaving, replies }
}

/**
 * Adds to the figure of a second. After the hour there is none.
 * @param {Float64Array} figures
 * @param {number} second
 * @param {number} more
 */
function add(figures, second, more) {
  figures[second] = (figures[second] ?? 0) + more
}

/**
 * Lets the texts of one number leave in its pace: single texts first, as the queue does, and the campaign between them.
 * @param {Float64Array} leaving
 * @param {{ times: Uint16Array, campaignAt: number, beginsCampaign: boolean, use: Use, random: () => number }} number
 */
function depart(leaving, { times, campaignAt, beginsCampaign, use, random }) {
  const [least, most] = use.pace
  let [next, left] = [0, beginsCampaign ? use.campaignSize : 0]
  for (let second = 0; second < hourSeconds; ) {
    const isDue = (times[next] ?? hourSeconds) <= second
    if (isDue) next += 1
    else if (left > 0 && campaignAt <= second) left -= 1
    else {
      second = Math.min(times[next] ?? hourSeconds, left > 0 ? campaignAt : hourSeconds)
      continue
    }
    add(leaving, second, 1)
    second += Math.ceil(least + random() * (most - least))
  }
}

/**
 * Returns what the hour needs when no part may be busier than `busy` of its time: CPU seconds a second of each part, in
 * the second that 99.9 of 100 stay below. `costs` are milliseconds of CPU: of Postgres and of our processes, for each
 * text that is accepted, is in a campaign that begins, leaves, gets a receipt, arrives, or is posted as a webhook.
 * @param {ReturnType<typeof playHour>} hour
 * @param {Costs} costs
 */
export function needsOf({ accepted, begun, leaving, replies }, costs, use = usual, busy = 0.6) {
  /** @param {Part} part */
  const load = (part) =>
    Array.from(accepted, (texts, second) => {
      const sent = leaving[second] ?? 0
      const received = replies[second] ?? 0
      const posted = sent * use.webhooksForText + received
      return (
        texts * (costs.accept[part] ?? 0) +
        (begun[second] ?? 0) * (costs.campaign[part] ?? 0) +
        sent * (costs.send[part] ?? 0) +
        sent * use.receiptsForText * (costs.receipt[part] ?? 0) +
        received * (costs.receive[part] ?? 0) +
        posted * (costs.webhook[part] ?? 0)
      )
    })
  // What a begin adds is worked off within a minute: texts of campaigns wait for their pace anyway.
  /** @param {Part} part */
  const cores = (part) => high(smooth(load(part), 60)) / 1000 / busy
  return {
    leavingEachSecond: high(leaving),
    postgresCores: cores('postgres'),
    apiCores: cores('api'),
    workerCores: cores('worker'),
  }
}

/**
 * Returns the mean of each second and those before it.
 * @param {number[]} figures
 * @param {number} seconds
 */
function smooth(figures, seconds) {
  return figures.map((_, second) => {
    const from = Math.max(0, second - seconds + 1)
    const window = figures.slice(from, second + 1)
    return window.reduce((sum, figure) => sum + figure, 0) / window.length
  })
}

/**
 * Returns the figure that 99.9 of 100 stay below.
 * @param {ArrayLike<number>} figures
 */
function high(figures) {
  const sorted = Float64Array.from(figures).sort()
  return /** @type {number} */ (sorted[Math.floor(sorted.length * 0.999)])
}
