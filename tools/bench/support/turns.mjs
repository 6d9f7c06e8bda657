// Turns: in a run of all benchmarks some are under way at the same time, and one of them works at a time. So the rounds
// of each are spread over the whole run, and a state of the machine that lasts for minutes affects all of them, and
// each run, alike.
import { once } from 'node:events'

/** Waits until it is this program's turn again. Without a program that gives turns it always is. */
export async function nextTurn() {
  if (process.send === undefined) return
  const given = once(process, 'message')
  process.send('waiting')
  await given
}
