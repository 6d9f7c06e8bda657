import { keys, limitsPage } from './account.ts'
import { activityPage } from './activity.ts'
import { count, failure, status, time, ui } from './basics.ts'
import { banner, billing } from './billing.ts'
import { campaign, campaigns, newCampaign } from './campaigns.ts'
import { inbox } from './chats.ts'
import { codes } from './codes.ts'
import { connections } from './connections.ts'
import { contacts } from './contacts.ts'
import { errorCodes, message, messages, queue } from './messages.ts'
import { linking, numberDetail, numbers, sendGroup } from './numbers.ts'
import { organization } from './organization.ts'
import { firstRun, home, sendBox } from './overview.ts'
import { platform } from './platform.ts'
import { profile } from './profile.ts'
import { reminders } from './reminders.ts'
import { session } from './session.ts'
import { find, groups, keyboard, nav, roles, shell } from './shell.ts'
import { simulator } from './simulator.ts'
import { team } from './team.ts'
import { eventKinds, webhook } from './webhook.ts'

/** The sentences in English. */
export const en = {
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
  banner,
  billing,
  platform,
}
