import { limits } from '@msgctl/contract'
import { deleteOlder, type PeriodicJob, repeating } from '#platform/periodic-jobs.ts'
import { deleteEndedConversations } from './bots/conversations/retention-store.ts'
import { deleteExpiredTurns, endQuiet } from './bots/conversations/turn-store.ts'
import { hasDueVoiceNotes } from './bots/inbox/voice-note-store.ts'
import { deleteOldChatMessages } from './chats/retention-store.ts'
import { rollUpChats } from './chats/roll-up.ts'
import { hasChatChanges } from './chats/roll-up-store.ts'
import { hasDueImports } from './contacts/import-task-store.ts'
import { sweepChanges } from './inbound/change.ts'
import { hasPendingChanges } from './inbound/change-store.ts'
import { deleteOrphans } from './inbound/cleanup.ts'
import { importHistories } from './inbound/import.ts'
import { transcribeVoiceNotes } from './inbound/voice/transcribe.ts'

/** The periodic jobs of chats and assistants. */
export const conversationJobs: readonly PeriodicJob[] = [
  repeating('chats.roll-up', rollUpChats, { everySeconds: 15, hasWork: hasChatChanges }),
  { name: 'chats.change', everySeconds: 60, hasWork: hasPendingChanges, run: sweepChanges },
  repeating('chats.cleanup', deleteOrphans),
  {
    name: 'chats.import',
    everySeconds: 60,
    on: 'imports',
    hasWork: hasDueImports,
    items: 'imports',
    run: importHistories,
  },
  {
    name: 'chats.retention',
    everySeconds: 600,
    run: ({ db, config }) => deleteOlder(config.retention.chatsDays, (days) => deleteOldChatMessages(db, days)),
  },
  repeating('bots.end-quiet', endQuiet, { everySeconds: 600 }),
  repeating('bots.cleanup', deleteExpiredTurns),
  repeating('bots.retention', (db) => deleteEndedConversations(db, limits.bots.conversationDays)),
  {
    name: 'bots.transcribe',
    everySeconds: 15,
    hasWork: hasDueVoiceNotes,
    items: 'voice_notes',
    run: transcribeVoiceNotes,
  },
]
