/** The code of a log line, by which searches and alerts find it. A line with a new code needs an entry here. */
type LogEvent =
  | 'block_not_stored'
  | 'blocked_messages_not_moved'
  | 'bot_index_cut'
  | 'bot_turn_failed'
  | 'bot_turn_set_aside'
  | 'campaign_check_failed'
  | 'campaign_start_error'
  | 'campaign_start_refused'
  | 'chat_import_failed'
  | 'closed_lanes_unreadable'
  | 'contract_violated'
  | 'database_connection_lost'
  | 'delivery_outcomes_not_written'
  | 'delivery_secret_unreadable'
  | 'direct_failure_not_stored'
  | 'direct_receipts_failed'
  | 'download_failed'
  | 'driver_threw'
  | 'erasure_failed'
  | 'host_check_failed'
  | 'job_clock_right'
  | 'job_clock_wrong'
  | 'job_connection_lost'
  | 'job_failed'
  | 'job_poll_failed'
  | 'job_scheduling_failed'
  | 'job_times_repaired'
  | 'lane_pause_failed'
  | 'lanes_repaired'
  | 'listening'
  | 'mail_not_sent'
  | 'mail_off'
  | 'messages_moved'
  | 'messages_reclaimed'
  | 'metrics_snapshot_failed'
  | 'model_failed'
  | 'network_report_set_aside'
  | 'network_simulated'
  | 'number_start_failed'
  | 'number_stop_failed'
  | 'organization_erased'
  | 'moved_organization_erased'
  | 'otp_discard_failed'
  | 'otp_refusal_uncounted'
  | 'outcome_refused'
  | 'outcomes_not_written'
  | 'poll_failed'
  | 'postgres_ended'
  | 'postgres_restarted'
  | 'probe_write_failed'
  | 'queue_fail_failed'
  | 'read_ticks_failed'
  | 'recheck_failed'
  | 'recipient_check_failed'
  | 'reminder_send_error'
  | 'request'
  | 'request_failed'
  | 'response_write_failed'
  | 'restart_failed'
  | 'session_remove_failed'
  | 'signing_secret_unreadable'
  | 'simulator_read_failed'
  | 'simulator_send_failed'
  | 'stop_failed'
  | 'stop_incomplete'
  | 'stopping'
  | 'stream_check_failed'
  | 'stream_lease_release_failed'
  | 'supervision_action_failed'
  | 'supervision_failed'
  | 'temporary_files_failed'
  | 'temporary_files_removed'
  | 'voice_note_failed'
  | 'waha_poll_failed'
  | 'waha_state_corrected'
  | 'waha_webhook_unreadable'
  | 'webhook_request_failed'
  | 'webhook_target_read_failed'
  | 'webhook_unanswered'
  | 'worker_stop_late'

/** The fields of a log line. */
interface LogFields {
  readonly event: LogEvent
  readonly [name: string]: unknown
}

type Write = (fields: LogFields, text: string) => void

/** A logger whose lines all have an event code of the list. */
export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
  readonly fatal: Write
}
