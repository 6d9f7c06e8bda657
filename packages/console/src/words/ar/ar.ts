import type { Words } from '../index.ts'
import { keys, limitsPage } from './account.ts'
import { count, failure, status, time, ui } from './basics.ts'
import { campaign, campaigns, newCampaign } from './campaigns.ts'
import { inbox } from './chats.ts'
import { connections } from './connections.ts'
import { errorCodes, message, messages, queue } from './messages.ts'
import { activityPage, codes, contacts, organization, profile, reminders, team } from './more.ts'
import { linking, numberDetail, numbers, sendGroup } from './numbers.ts'
import { firstRun, home, sendBox } from './overview.ts'
import { session } from './session.ts'
import { find, groups, keyboard, nav, roles, shell } from './shell.ts'
import { simulator } from './simulator.ts'
import { eventKinds, webhook } from './webhook.ts'

/** The sentences in Arabic. */
export const ar: Words = {
  ui,
  failure,
  time,
  status,
  count,
  nav,
  groups,
  roles,
  shell,
  find,
  keyboard,
  session,
  home,
  sendBox,
  firstRun,
  simulator,
  numbers,
  numberDetail,
  linking,
  sendGroup,
  messages,
  message,
  errorCodes,
  queue,
  campaigns,
  campaign,
  newCampaign,
  inbox,
  webhook,
  eventKinds,
  keys,
  limitsPage,
  reminders,
  contacts,
  codes,
  team,
  activityPage,
  organization,
  profile,
  connections,
}
