import type { GivenTable } from './column-classes.ts'

/** The tables of which an organization is given something. */
export const givenTables: Readonly<Record<string, GivenTable>> = {
  organizations: {
    about: 'the organization itself',
    given: 'id name trial_ends_at extra_numbers extra_expires_at require_two_factor country created_at',
    moves: {
      person: 'deleted_by',
      inner:
        'deactivated_at protected_at deleted_at moving_at closed_at moved_to exported_digests import_receipt ' +
        'moved_at country_locked_at paid_extra_numbers ai_allowance_usd platform_admin_at deactivated_reason ' +
        'trial_mail',
    },
  },
  organization_products: { about: 'its products', given: 'product granted_at paused_at paid_at paid_until', moves: {} },
  users: {
    about: 'the people of the team',
    given: 'name email',
    moves: { credential: 'password_hash', person: 'id email_verified_at had_trial_at created_at' },
  },
  members: {
    about: 'the people of the team: name, e-mail and role',
    given: 'role',
    moves: { person: 'user_id created_at last_session_at' },
  },
  invitations: {
    about: 'invitations to the team',
    given: 'email role created_at expires_at accepted_at cancelled_at',
    moves: { credential: 'token_hash', person: 'invited_by', inner: 'id delivery' },
  },
  activity_log: {
    about: 'who changed what; actorName is null for programs and for people who were deleted',
    given: 'at actor_kind action subject details',
    moves: { person: 'actor_id ip user_agent', inner: 'request_id' },
  },
  billing_invoices: {
    about: 'its invoices; amounts are in the smallest unit of the currency',
    given:
      'id number status currency subtotal tax total paid refunded disputed created_at paid_at period_start ' +
      'period_end lines',
    moves: { inner: 'provider_id failed_at pay_url receipt_mailed_at failure_mailed_at' },
  },
  trial_usage: { about: 'messages sent on trial, by day', given: 'day used', moves: {} },

  numbers: {
    about: 'its numbers; containerId elsewhere is the id of one',
    given:
      'id gateway label is_default status status_since phone_number push_name ever_linked linked_at ' +
      'last_linked_phone created_at',
    moves: {
      network: 'instance_name network_id link_step report_sequence',
      inner:
        'status_at status_reason status_code desired_state queue_held_at last_reported_problem exhaustion_reported ' +
        'next_check_at missed_probes no_acks_at retry_at is_final blocked_until down_since retry_count ' +
        'total_recoveries total_failures connected_since last_healthy_at last_error_at last_error unused_warned_at ' +
        'restricted_until',
    },
  },
  number_history: {
    about: 'when a number was connected, and when not',
    given: 'container_id at from_status to_status reason source',
    moves: {},
  },
  number_guards: {
    about: 'limits of a number that the operator changed',
    given: 'container_id mode conversations per_hour per_day',
    moves: {
      inner:
        'network_used network_quota network_resets_at network_reported_at stopped_at judged_from warned_at ' +
        'paused_until',
    },
  },
  send_groups: {
    about: 'the numbers that stand in for each other',
    given: 'enabled container_ids mode sticky updated_at',
    moves: {},
  },

  messages: {
    about: 'messages that were sent or wait; the text of a one-time code is not stored',
    given:
      'id container_id type kind recipient content priority status error error_code client_reference ' +
      'campaign_id reminder_id bot_id conversation_id gateway_message_id due_at created_at sent_at ' +
      'delivered_at read_at failed_at edited_at deleted_at',
    moves: {
      network: 'network_client_id network_ref',
      inner:
        'sent_by attempts lost_claims lost_processes pinned direct queue_at lease_token lease_until ' +
        'send_started_token outcome_unknown_since unacknowledged_since sent_reported caller_error attempt_log ' +
        'guard_rule guard_opens guard_held_at',
    },
  },
  poll_votes: {
    about: 'votes in polls',
    given: 'container_id message_id voter selected_options voted_at',
    moves: { network: 'vote_network_id poll_network_id', inner: 'received_at' },
  },
  campaigns: {
    about: 'campaigns',
    given:
      'id container_id name template status total scheduled_at start_error any_hour pause_reason created_at ' +
      'started_at completed_at client_reference',
    moves: { inner: 'start_tried_at start_failing_since' },
  },
  campaign_recipients: {
    about: 'the recipients of campaigns',
    given: 'campaign_id position phone variables',
    moves: {},
  },
  campaign_counts: { about: 'results of campaigns', given: 'campaign_id sent delivered failed read', moves: {} },
  reminders: {
    about: 'reminders',
    given:
      'id container_id label phone message variables repeat time_zone status send_at first_send_at batch_id ' +
      'send_count last_sent_at last_message_id last_error created_at updated_at client_reference',
    moves: { person: 'owner_id', inner: 'due_at lease_token failed_tries failed_repeats schedule_version' },
  },
  otp_requests: {
    about: 'one-time codes that were asked for, without the codes',
    given: 'id container_id phone tries created_at expires_at verified_at',
    moves: { credential: 'mac pepper' },
  },
  otp_days: { about: 'what became of one-time codes, by day', given: 'day verified expired limited', moves: {} },
  events: {
    about: 'the event log',
    given: 'id event data created_at',
    moves: { inner: 'position message_id sample' },
  },
  webhooks: {
    about: 'addresses that events are posted to',
    given: 'id main url label kinds created_at updated_at',
    moves: { credential: 'secret previous_secret', inner: 'previous_until' },
  },
  webhook_deliveries: {
    about: 'deliveries of events',
    given: 'id event_id endpoint_id status replay attempts last_status last_error created_at finished_at',
    moves: { inner: 'next_attempt_at lease_token lease_until lost_processes attempt_log' },
  },

  contacts: {
    about: 'people it has written with; contactId elsewhere is the id of one',
    given: 'id phone lid saved_name network_name opted_out opted_at created_at',
    moves: { inner: 'saved_in known_to' },
  },
  opt_out_keywords: { about: 'words by which people opt out', given: 'keywords', moves: {} },
  chats: { about: 'conversations', given: 'container_id contact_id last_at unread', moves: {} },
  chat_messages: {
    about: 'messages of conversations, in both directions',
    given: 'id container_id contact_id direction at imported type text attachment unread edited_at revoked_at',
    moves: { network: 'network_id network_ref file', inner: 'ours' },
  },

  bots: {
    about: 'assistants',
    given:
      'id name status languages texts instructions hours outside_hours person_words human_pause_minutes shop ' +
      'created_at updated_at',
    moves: { inner: 'knowledge_version' },
  },
  bot_numbers: { about: 'the numbers of assistants', given: 'bot_id container_id active place', moves: {} },
  bot_answers: {
    about: 'the answers of assistants',
    given: 'id bot_id answer lang enabled created_at updated_at',
    moves: {},
  },
  bot_questions: {
    about: 'the questions of each answer',
    given: 'answer_id place bot_id lang text',
    moves: { inner: 'asked stems' },
  },
  bot_conversations: {
    about: 'conversations of assistants',
    given: 'id bot_id container_id contact_id lang state person_until started_at last_at closed_at',
    moves: {
      inner: 'greeted failures choices away_said_at said_at steps_at draft due_at waiting_since attempts lease_token',
    },
  },
  bot_turns: {
    about: 'what people asked assistants, and what they replied',
    given: 'conversation_id at question kind said answer_id message_id',
    moves: { inner: 'score' },
  },
  bot_reviews: {
    about: 'questions that a person has to decide',
    given: 'id bot_id conversation_id question lang reason status answer created_at resolved_at',
    moves: {},
  },
  bot_products: {
    about: 'products of shops; prices are in the smallest unit of the currency',
    given: 'id bot_id sku name description price stock available position created_at updated_at',
    moves: {},
  },
  bot_orders: {
    about: 'orders; amounts are in the smallest unit of the currency',
    given:
      'id bot_id conversation_id container_id contact_id number status delivery_fee total currency name ' +
      'address note history placed_at updated_at',
    moves: {},
  },
  bot_order_lines: { about: 'the lines of orders', given: 'order_id place product_id name price quantity', moves: {} },
  bot_order_phones: { about: 'phones that are notified of orders', given: 'bot_id phone name created_at', moves: {} },
  ai_usage: {
    about: 'what models cost',
    given: 'period used_micro_usd calls',
    moves: { inner: 'reserved_micro_usd' },
  },

  mcp_connections: {
    about: 'AI clients that people connected',
    given: 'id client_name client_host scopes container_id created_at last_used_at revoked_at reason',
    moves: { person: 'user_id two_factor_at', inner: 'client_id' },
  },
  mcp_settings: {
    about: 'what AI clients may do',
    given: 'enabled sends_per_hour approve key_scopes',
    moves: {},
  },
  mcp_actions: {
    about: 'what AI clients wanted to do and a person decided',
    given: 'id connection_id tool reason summary state requested_at expires_at decided_at',
    moves: {
      credential: 'credential arguments_hash arguments_sealed',
      person: 'decided_by',
      inner: 'idempotency_key carried_out_by result',
    },
  },
  mcp_calls: {
    about: 'calls of AI clients',
    given: 'connection_id tool at outcome code phone',
    moves: { credential: 'credential', inner: 'ms' },
  },
}
