/** The rules of today's queue, each with what is done instead when the test breaks it. */
export const rules = {
  'messages-first': 'a text is stored before its lane is locked, also when the lane is then skipped',
  'lane-not-written': 'a text is stored, and its lane sleeps on',
  'snapshot-decides': 'whether a lane sleeps is read from the snapshot, not from the locked row',
  'no-second-try': 'a text whose lane was skipped is not tried again',
  'skips-no-closed-lane': 'a text that does not wait for locks is stored on a closed lane too',
  'late-text-not-moved': 'a text that finds its lane closed is not moved',
  'late-text-locks-one': 'a text that waits locks only its own lane, also when that is closed',
  'late-text-goes-on': 'a text whose lane was closed while it waited for it does not begin again',
  'open-not-rechecked': 'a claim does not read again whether the lane that it has locked is open',
  'claim-by-old-snapshot': 'a claim takes what the statement saw that locked the lane, and does not lock messages',
  'sleep-by-old-snapshot': 'a claim computes when the lane is read next from what the statement saw that locked it',
  'retry-in-two': 'a message goes back to the queue in one transaction, and its lane becomes due in the next',
  'retry-overwrites': 'a message that goes back sets the time of its lane, also to a later one',
  'retry-without-token': 'a message goes back although another process has claimed it since',
  'lanes-before-failures': 'a worker locks the lanes of what goes back before it writes its other outcomes',
  'retry-not-moved': 'a message that goes back to a closed lane is not moved',
  'move-without-locks': 'messages are moved by what the snapshot says of the lanes, without their locks',
  'target-not-due': 'messages are moved to a lane that sleeps on',
  'close-locks-one': 'a lane is closed without the locks of the other lanes',
  'hold-lanes-first': 'the lanes of an organization that is held are locked before its numbers',
  'release-without-lock': 'held messages are released before their lane is locked',
} as const

/** The name of a rule that is broken; null: none is. */
export type Broken = keyof typeof rules | null
