// Generated from a migrated database by: npm run generate
import type { Knex } from 'knex'

/** A table with the columns of `Row`. An insert may leave out the columns `Optional`; written values may be SQL. */
type Table<Row, Optional extends keyof Row> = Knex.CompositeTableType<
  Row,
  Written<Omit<Row, Optional>> & Partial<Written<Pick<Row, Optional>>>,
  Partial<Written<Row>>
>

type Written<Row> = { [Column in keyof Row]: Row[Column] | Knex.Raw }

declare module 'knex/types/tables.js' {
  interface Tables {
    account_links: Table<
      {
        user_id: string
        kind: string
        organization_id: string | null
        token_hash: Buffer
        expires_at: Date
      },
      'organization_id'
    >
    activity_log: Table<
      {
        id: number
        organization_id: string
        at: Date
        actor_kind: string
        actor_id: string | null
        action: string
        subject: string | null
        details: unknown
        ip: string | null
        request_id: string | null
        user_agent: string | null
      },
      'id' | 'actor_id' | 'subject' | 'details' | 'ip' | 'request_id' | 'user_agent'
    >
    ai_usage: Table<
      {
        organization_id: string
        period: string
        reserved_micro_usd: number
        used_micro_usd: number
        calls: number
      },
      'reserved_micro_usd' | 'used_micro_usd' | 'calls'
    >
    api_keys: Table<
      {
        key_hash: Buffer
        organization_id: string
        container_id: string | null
        preview: string
        created_at: Date
        last_used_at: Date | null
      },
      'container_id' | 'last_used_at'
    >
    attempt_windows: Table<
      {
        bucket: string
        attempts: number
        ends_at: Date
      },
      never
    >
    bot_answers: Table<
      {
        id: string
        bot_id: string
        organization_id: string
        answer: string
        lang: string
        enabled: boolean
        created_at: Date
        updated_at: Date
      },
      never
    >
    bot_conversations: Table<
      {
        id: string
        bot_id: string
        organization_id: string
        container_id: string
        contact_id: string
        lang: string
        state: string
        person_until: Date | null
        greeted: boolean
        failures: number
        choices: unknown
        away_said_at: Date | null
        said_at: unknown
        steps_at: unknown
        draft: unknown
        due_at: Date | null
        waiting_since: Date | null
        attempts: number
        lease_token: string | null
        started_at: Date
        last_at: Date
        closed_at: Date | null
      },
      'state' | 'person_until' | 'greeted' | 'failures' | 'choices' | 'away_said_at' | 'said_at' | 'steps_at' | 'draft' | 'due_at' | 'waiting_since' | 'attempts' | 'lease_token' | 'closed_at'
    >
    bot_inbox: Table<
      {
        id: number
        conversation_id: string
        organization_id: string
        text: string
        is_place: boolean
        written_at: Date
        received_at: Date
      },
      'id' | 'is_place'
    >
    bot_numbers: Table<
      {
        bot_id: string
        container_id: string
        organization_id: string
        active: boolean
        place: number
      },
      'active'
    >
    bot_order_lines: Table<
      {
        order_id: string
        place: number
        organization_id: string
        product_id: string
        name: string
        price: number
        quantity: number
      },
      never
    >
    bot_order_phones: Table<
      {
        bot_id: string
        phone: string
        organization_id: string
        name: string | null
        created_at: Date
      },
      'name'
    >
    bot_orders: Table<
      {
        id: string
        bot_id: string
        organization_id: string
        conversation_id: string
        container_id: string
        contact_id: string
        number: number
        status: string
        delivery_fee: number
        total: number
        currency: string
        name: string | null
        address: string | null
        note: string | null
        history: unknown
        placed_at: Date
        updated_at: Date
      },
      'name' | 'address' | 'note'
    >
    bot_products: Table<
      {
        id: string
        bot_id: string
        organization_id: string
        sku: string | null
        name: string
        description: string
        price: number
        stock: number | null
        available: boolean
        position: number
        created_at: Date
        updated_at: Date
      },
      'sku' | 'stock'
    >
    bot_questions: Table<
      {
        answer_id: string
        place: number
        bot_id: string
        organization_id: string
        lang: string
        text: string
        asked: string
        stems: string[]
      },
      never
    >
    bot_reviews: Table<
      {
        id: string
        bot_id: string
        organization_id: string
        conversation_id: string
        question: string
        lang: string | null
        reason: string | null
        status: string
        answer: string | null
        created_at: Date
        resolved_at: Date | null
      },
      'lang' | 'reason' | 'status' | 'answer' | 'resolved_at'
    >
    bot_turns: Table<
      {
        id: number
        conversation_id: string
        organization_id: string
        at: Date
        question: string
        kind: string
        said: string | null
        answer_id: string | null
        score: number | null
        message_id: string | null
      },
      'id' | 'said' | 'answer_id' | 'score' | 'message_id'
    >
    bot_voice_notes: Table<
      {
        id: number
        organization_id: string
        container_id: string
        arrival: unknown
        due_at: Date
        attempts: number
        received_at: Date
      },
      'id' | 'attempts'
    >
    bots: Table<
      {
        id: string
        organization_id: string
        name: string
        status: string
        languages: string[]
        texts: unknown
        instructions: string
        hours: unknown
        outside_hours: string
        person_words: string[]
        human_pause_minutes: number
        shop: unknown
        knowledge_version: number
        created_at: Date
        updated_at: Date
      },
      'status' | 'hours' | 'shop' | 'knowledge_version'
    >
    campaign_count_changes: Table<
      {
        campaign_id: string
        organization_id: string
        sent: number
        delivered: number
        failed: number
        read: number
      },
      never
    >
    campaign_counts: Table<
      {
        campaign_id: string
        organization_id: string
        sent: number
        delivered: number
        failed: number
        read: number
      },
      never
    >
    campaign_ends: Table<
      {
        campaign_id: string
      },
      never
    >
    campaign_pacing: Table<
      {
        organization_id: string
        next_send_at: Date
      },
      never
    >
    campaign_recipients: Table<
      {
        campaign_id: string
        organization_id: string
        position: number
        phone: string
        variables: unknown
      },
      never
    >
    campaigns: Table<
      {
        id: string
        organization_id: string
        container_id: string | null
        name: string
        template: string
        status: string
        total: number
        scheduled_at: Date | null
        start_error: string | null
        start_tried_at: Date | null
        start_failing_since: Date | null
        any_hour: boolean
        pause_reason: string | null
        created_at: Date
        started_at: Date | null
        completed_at: Date | null
        client_reference: string | null
      },
      'container_id' | 'scheduled_at' | 'start_error' | 'start_tried_at' | 'start_failing_since' | 'any_hour' | 'pause_reason' | 'started_at' | 'completed_at' | 'client_reference'
    >
    change_limits: Table<
      {
        organization_id: string
        tat: Date
      },
      never
    >
    chat_changes: Table<
      {
        id: number
        organization_id: string
        container_id: string
        message_id: string | null
        contact_id: string | null
      },
      'id' | 'message_id' | 'contact_id'
    >
    chat_messages: Table<
      {
        id: string
        organization_id: string
        container_id: string
        contact_id: string | null
        direction: string
        network_id: string | null
        at: Date
        ours: boolean
        imported: boolean
        type: string
        text: string
        attachment: string | null
        unread: boolean
        edited_at: Date | null
        revoked_at: Date | null
        network_ref: unknown
        file: unknown
      },
      'contact_id' | 'network_id' | 'ours' | 'imported' | 'attachment' | 'unread' | 'edited_at' | 'revoked_at' | 'network_ref' | 'file'
    >
    chats: Table<
      {
        container_id: string
        contact_id: string
        organization_id: string
        last_at: Date
        unread: number
      },
      'unread'
    >
    contacts: Table<
      {
        id: string
        organization_id: string
        phone: string | null
        lid: string | null
        saved_name: string | null
        network_name: string | null
        saved_in: string[]
        known_to: string[]
        opted_out: boolean
        opted_at: Date | null
        created_at: Date
        search_text: string
      },
      'phone' | 'lid' | 'saved_name' | 'network_name' | 'saved_in' | 'known_to' | 'opted_out' | 'opted_at' | 'search_text'
    >
    database_identity: Table<
      {
        only_row: boolean
        identity: string
        timeline: string
      },
      'only_row'
    >
    erasures: Table<
      {
        organization_id: string
        name_hash: Buffer
        deleted_at: Date
        erased_at: Date
      },
      never
    >
    event_positions: Table<
      {
        organization_id: string
        last_position: number
      },
      never
    >
    event_streams: Table<
      {
        id: string
        organization_id: string
        kind: string
        until: Date
      },
      never
    >
    events: Table<
      {
        id: string
        organization_id: string
        position: number
        event: string
        data: unknown
        message_id: string | null
        created_at: Date
        sample: boolean
      },
      'message_id' | 'sample'
    >
    gateway_history: Table<
      {
        container_id: string
        chat: string
        network_id: string
        body: unknown
        at: Date
      },
      never
    >
    gateway_hosts: Table<
      {
        id: string
        url: string
        version: string
        capacity: number
        draining: boolean
        started_at: Date
        seen_at: Date
        web_version: string | null
      },
      'draining' | 'web_version'
    >
    gateway_inbox: Table<
      {
        id: number
        driver: string
        host: string
        event_id: string
        container_id: string
        organization_id: string
        body: Buffer
        received_at: Date
        attempts: number
        due_at: Date
        set_aside_at: Date | null
      },
      'id' | 'received_at' | 'attempts' | 'due_at' | 'set_aside_at'
    >
    gateway_keys: Table<
      {
        container_id: string
        kind: number
        id: string
        value: Buffer
      },
      never
    >
    gateway_last_times: Table<
      {
        container_id: string
        organization_id: string
        last_ms: number
      },
      never
    >
    gateway_sent: Table<
      {
        container_id: string
        network_id: string
        chat: string
        message: Buffer
        is_poll: boolean
        acked_at: Date | null
        delivered_at: Date | null
        created_at: Date
      },
      'is_poll' | 'acked_at' | 'delivered_at' | 'created_at'
    >
    gateway_sessions: Table<
      {
        container_id: string
        organization_id: string
        wanted: string
        request: string | null
        host_id: string | null
        epoch: number
        lease_until: Date
        last_host_id: string | null
        sealed_key: string | null
        creds: Buffer | null
        me: unknown
        status: string
        reason: string | null
        retry: string | null
        sequence: number
        state_at: Date
        sealed_proxy: string | null
        linked_at: Date | null
        retired_at: Date | null
        retired_creds: Buffer | null
        code: number | null
      },
      'wanted' | 'request' | 'host_id' | 'epoch' | 'lease_until' | 'last_host_id' | 'sealed_key' | 'creds' | 'me' | 'status' | 'reason' | 'retry' | 'state_at' | 'sealed_proxy' | 'linked_at' | 'retired_at' | 'retired_creds' | 'code'
    >
    gateway_web_version: Table<
      {
        only_row: boolean
        version: string | null
        source: string | null
        known_at: Date | null
        tried_at: Date | null
        fault: string | null
      },
      'only_row' | 'version' | 'source' | 'known_at' | 'tried_at' | 'fault'
    >
    guard_sends: Table<
      {
        id: number
        organization_id: string
        container_id: string
        at: Date
        message_id: string
        recipient: string
        opens: boolean
        refused_at: Date | null
      },
      'id' | 'refused_at'
    >
    history_imports: Table<
      {
        container_id: string
        organization_id: string
        requested_at: Date | null
        due_at: Date | null
        reached_at: Date | null
        attempts: number
        phone_busy_at: Date | null
        imported_at: Date | null
      },
      'requested_at' | 'due_at' | 'reached_at' | 'attempts' | 'phone_busy_at' | 'imported_at'
    >
    idempotency_keys: Table<
      {
        organization_id: string
        credential: string
        route: string
        key: string
        request_hash: Buffer
        message_id: string | null
        status: number | null
        body: unknown
        created_at: Date
      },
      'message_id' | 'status' | 'body'
    >
    invitations: Table<
      {
        id: string
        organization_id: string
        email: string
        role: string
        token_hash: Buffer
        delivery: string
        invited_by: string | null
        created_at: Date
        expires_at: Date
        accepted_at: Date | null
        cancelled_at: Date | null
      },
      'invited_by' | 'accepted_at' | 'cancelled_at'
    >
    lanes: Table<
      {
        container_id: string
        organization_id: string
        open: boolean
        guarded: boolean | null
        next_claim_at: Date
        next_send_at: Date
        next_campaign_send_at: Date
      },
      'open' | 'guarded' | 'next_claim_at' | 'next_send_at' | 'next_campaign_send_at'
    >
    mails: Table<
      {
        id: string
        organization_id: string | null
        to_email: string
        kind: string
        sealed_body: string | null
        created_at: Date
        due_at: Date | null
        attempts: number
        lease_until: Date | null
        sent_at: Date | null
        failed_at: Date | null
        error: string | null
      },
      'organization_id' | 'sealed_body' | 'due_at' | 'attempts' | 'lease_until' | 'sent_at' | 'failed_at' | 'error'
    >
    mcp_actions: Table<
      {
        id: string
        organization_id: string
        connection_id: string | null
        credential: string
        tool: string
        idempotency_key: string
        arguments_hash: Buffer
        arguments_sealed: string | null
        reason: string
        summary: string
        state: string
        requested_at: Date
        expires_at: Date
        decided_by: string | null
        decided_at: Date | null
        carried_out_by: Date | null
        result: unknown
      },
      'connection_id' | 'arguments_sealed' | 'decided_by' | 'decided_at' | 'carried_out_by' | 'result'
    >
    mcp_calls: Table<
      {
        id: number
        organization_id: string
        connection_id: string | null
        credential: string
        tool: string
        at: Date
        outcome: string
        code: string | null
        ms: number
        phone: string | null
      },
      'id' | 'connection_id' | 'code' | 'phone'
    >
    mcp_connections: Table<
      {
        id: string
        organization_id: string
        user_id: string
        client_id: string
        client_name: string
        client_host: string | null
        scopes: string[]
        container_id: string | null
        two_factor_at: Date | null
        created_at: Date
        last_used_at: Date | null
        revoked_at: Date | null
        reason: string | null
      },
      'client_host' | 'container_id' | 'two_factor_at' | 'last_used_at' | 'revoked_at' | 'reason'
    >
    mcp_read_texts: Table<
      {
        id: number
        organization_id: string
        credential: string
        person: string
        at: Date
        hashes: number[]
      },
      'id'
    >
    mcp_sends: Table<
      {
        id: string
        organization_id: string
        credential: string
        at: Date
      },
      never
    >
    mcp_settings: Table<
      {
        organization_id: string
        enabled: boolean
        sends_per_hour: number
        approve: string
        key_scopes: string[]
      },
      never
    >
    members: Table<
      {
        organization_id: string
        user_id: string
        role: string
        created_at: Date
        last_session_at: Date | null
      },
      'last_session_at'
    >
    message_count_changes: Table<
      {
        organization_id: string
        hour: Date
        type: string
        queued: number
        sending: number
        sent: number
        delivered: number
        read: number
        failed: number
      },
      never
    >
    message_hours: Table<
      {
        organization_id: string
        hour: Date
        type: string
        queued: number
        sending: number
        sent: number
        delivered: number
        read: number
        failed: number
      },
      never
    >
    message_places: Table<
      {
        organization_id: string
        container_id: string | null
        created_at: Date
        message_id: string
      },
      'container_id'
    >
    message_text_changes: Table<
      {
        organization_id: string
        created_at: Date
        message_id: string
      },
      never
    >
    message_texts: Table<
      {
        organization_id: string
        created_at: Date
        message_id: string
        search_text: string
      },
      never
    >
    message_totals: Table<
      {
        organization_id: string
        type: string
        queued: number
        sending: number
        sent: number
        delivered: number
        read: number
        failed: number
      },
      never
    >
    messages: Table<
      {
        id: string
        organization_id: string
        container_id: string | null
        type: string
        kind: string
        recipient: string
        content: string
        priority: string
        status: string
        error: string | null
        error_code: string | null
        attempts: number
        lost_claims: number
        pinned: boolean
        direct: boolean
        client_reference: string | null
        campaign_id: string | null
        reminder_id: string | null
        sent_by: string | null
        bot_id: string | null
        conversation_id: string | null
        network_client_id: string
        gateway_message_id: string | null
        network_ref: unknown
        due_at: Date
        queue_at: Date
        lease_token: string | null
        lease_until: Date | null
        send_started_token: string | null
        outcome_unknown_since: Date | null
        unacknowledged_since: Date | null
        sent_reported: boolean
        caller_error: unknown
        attempt_log: unknown
        guard_rule: string | null
        guard_opens: boolean | null
        guard_held_at: Date | null
        created_at: Date
        sent_at: Date | null
        delivered_at: Date | null
        read_at: Date | null
        failed_at: Date | null
        edited_at: Date | null
        deleted_at: Date | null
        lost_processes: number
      },
      'container_id' | 'error' | 'error_code' | 'attempts' | 'lost_claims' | 'pinned' | 'direct' | 'client_reference' | 'campaign_id' | 'reminder_id' | 'sent_by' | 'bot_id' | 'conversation_id' | 'gateway_message_id' | 'network_ref' | 'lease_token' | 'lease_until' | 'send_started_token' | 'outcome_unknown_since' | 'unacknowledged_since' | 'sent_reported' | 'caller_error' | 'attempt_log' | 'guard_rule' | 'guard_opens' | 'guard_held_at' | 'sent_at' | 'delivered_at' | 'read_at' | 'failed_at' | 'edited_at' | 'deleted_at' | 'lost_processes'
    >
    number_guards: Table<
      {
        container_id: string
        organization_id: string
        mode: string | null
        conversations: number | null
        per_hour: number | null
        per_day: number | null
        network_used: number | null
        network_quota: number | null
        network_resets_at: Date | null
        network_reported_at: Date | null
        stopped_at: Date | null
        judged_from: Date
        warned_at: Date
        paused_until: Date | null
      },
      'mode' | 'conversations' | 'per_hour' | 'per_day' | 'network_used' | 'network_quota' | 'network_resets_at' | 'network_reported_at' | 'stopped_at' | 'judged_from' | 'warned_at' | 'paused_until'
    >
    number_history: Table<
      {
        id: number
        organization_id: string
        container_id: string
        at: Date
        from_status: string | null
        to_status: string
        reason: string | null
        source: string
      },
      'id' | 'from_status' | 'reason'
    >
    numbers: Table<
      {
        id: string
        organization_id: string
        gateway: string
        label: string
        instance_name: string
        is_default: boolean
        status: string
        status_at: Date
        status_since: Date
        status_reason: string | null
        report_sequence: number
        desired_state: string
        phone_number: string | null
        network_id: string | null
        push_name: string | null
        last_linked_phone: string | null
        linked_at: Date | null
        ever_linked: boolean
        queue_held_at: Date | null
        last_reported_problem: string | null
        exhaustion_reported: boolean
        next_check_at: Date | null
        missed_probes: number
        no_acks_at: Date | null
        retry_at: Date | null
        is_final: boolean
        link_step: unknown
        blocked_until: Date | null
        down_since: Date | null
        retry_count: number
        total_recoveries: number
        total_failures: number
        connected_since: Date | null
        last_healthy_at: Date | null
        last_error_at: Date | null
        last_error: string | null
        created_at: Date
        status_code: number | null
        unused_warned_at: Date | null
        restricted_until: Date | null
      },
      'gateway' | 'is_default' | 'status_reason' | 'report_sequence' | 'desired_state' | 'phone_number' | 'network_id' | 'push_name' | 'last_linked_phone' | 'linked_at' | 'ever_linked' | 'queue_held_at' | 'last_reported_problem' | 'exhaustion_reported' | 'next_check_at' | 'missed_probes' | 'no_acks_at' | 'retry_at' | 'is_final' | 'link_step' | 'blocked_until' | 'down_since' | 'retry_count' | 'total_recoveries' | 'total_failures' | 'connected_since' | 'last_healthy_at' | 'last_error_at' | 'last_error' | 'status_code' | 'unused_warned_at' | 'restricted_until'
    >
    oauth_clients: Table<
      {
        id: string
        name: string
        host: string | null
        redirect_uris: string[]
        created_at: Date
        used_at: Date | null
        kept_until: Date | null
      },
      'host' | 'used_at' | 'kept_until'
    >
    oauth_codes: Table<
      {
        code_hash: Buffer
        connection_id: string
        client_id: string
        redirect_uri: string
        code_challenge: string
        expires_at: Date
        used_at: Date | null
      },
      'used_at'
    >
    oauth_requests: Table<
      {
        id: string
        client_id: string
        client_name: string
        client_host: string | null
        redirect_uri: string
        scopes: string[]
        state: string | null
        code_challenge: string
        issuer: string
        browser_hash: Buffer
        expires_at: Date
        answered_at: Date | null
      },
      'client_host' | 'state' | 'answered_at'
    >
    oauth_tokens: Table<
      {
        token_hash: Buffer
        connection_id: string
        kind: string
        scopes: string[]
        expires_at: Date
        used_at: Date | null
      },
      'used_at'
    >
    opt_out_keywords: Table<
      {
        organization_id: string
        keywords: string[]
      },
      never
    >
    order_numbers: Table<
      {
        organization_id: string
        last_number: number
      },
      never
    >
    organization_products: Table<
      {
        organization_id: string
        product: string
        granted_at: Date | null
        paused_at: Date | null
      },
      'granted_at' | 'paused_at'
    >
    organizations: Table<
      {
        id: string
        name: string
        trial_ends_at: Date | null
        extra_numbers: number
        extra_expires_at: Date | null
        require_two_factor: boolean
        deactivated_at: Date | null
        protected_at: Date | null
        deleted_at: Date | null
        deleted_by: string | null
        moving_at: Date | null
        closed_at: Date | null
        moved_to: string | null
        created_at: Date
        exported_digests: Buffer[]
        import_receipt: string | null
        moved_at: Date | null
      },
      'trial_ends_at' | 'extra_numbers' | 'extra_expires_at' | 'require_two_factor' | 'deactivated_at' | 'protected_at' | 'deleted_at' | 'deleted_by' | 'moving_at' | 'closed_at' | 'moved_to' | 'exported_digests' | 'import_receipt' | 'moved_at'
    >
    otp_days: Table<
      {
        organization_id: string
        day: string
        verified: number
        expired: number
        limited: number
      },
      'verified' | 'expired' | 'limited'
    >
    otp_requests: Table<
      {
        id: string
        organization_id: string
        container_id: string
        phone: string
        mac: Buffer
        pepper: string
        tries: number
        created_at: Date
        expires_at: Date
        verified_at: Date | null
      },
      'tries' | 'verified_at'
    >
    pending_changes: Table<
      {
        container_id: string
        network_id: string
        kind: string
        text: string | null
        at: Date
        received_at: Date
        authors: string[] | null
      },
      'text' | 'authors'
    >
    pending_receipts: Table<
      {
        container_id: string
        gateway_message_id: string
        status: string
        at: Date
        error: string | null
        received_at: Date
      },
      'error'
    >
    poll_votes: Table<
      {
        container_id: string
        vote_network_id: string
        organization_id: string
        poll_network_id: string
        voter: string
        selected_options: unknown
        voted_at: Date
        received_at: Date
        message_id: string | null
      },
      'message_id'
    >
    recipient_check_budgets: Table<
      {
        container_id: string
        organization_id: string
        tat: Date
        day_tat: Date
      },
      never
    >
    recipient_checks: Table<
      {
        organization_id: string
        digits: string
        on_network: boolean
        chat_id: string
        lid: string | null
        valid_until: Date
      },
      'chat_id' | 'lid'
    >
    recovery_codes: Table<
      {
        user_id: string
        code_hash: Buffer
        used_at: Date | null
      },
      'used_at'
    >
    reminder_sends: Table<
      {
        reminder_id: string
        schedule_version: number
        occurrence_at: Date
        message_id: string
      },
      never
    >
    reminders: Table<
      {
        id: string
        organization_id: string
        owner_id: string
        container_id: string | null
        label: string | null
        phone: string
        message: string
        variables: unknown
        repeat: string
        time_zone: string
        status: string
        send_at: Date
        first_send_at: Date
        due_at: Date
        lease_token: string | null
        failed_tries: number
        failed_repeats: number
        schedule_version: number
        batch_id: string | null
        send_count: number
        last_sent_at: Date | null
        last_message_id: string | null
        last_error: string | null
        created_at: Date
        updated_at: Date
        client_reference: string | null
      },
      'container_id' | 'label' | 'lease_token' | 'failed_tries' | 'failed_repeats' | 'schedule_version' | 'batch_id' | 'send_count' | 'last_sent_at' | 'last_message_id' | 'last_error' | 'client_reference'
    >
    reset_requests: Table<
      {
        id: number
        email: string
        ip: string
        created_at: Date
      },
      'id'
    >
    send_groups: Table<
      {
        organization_id: string
        enabled: boolean
        container_ids: string[]
        mode: string
        sticky: boolean
        updated_at: Date
      },
      never
    >
    server_secrets: Table<
      {
        name: string
        value: string
      },
      never
    >
    service_clock: Table<
      {
        only_row: boolean
        offset_ms: number
        frozen_at: Date | null
      },
      'only_row' | 'offset_ms' | 'frozen_at'
    >
    sign_in_challenges: Table<
      {
        challenge_hash: Buffer
        user_id: string
        organization_id: string
        attempts: number
        expires_at: Date
        invitation_id: string | null
      },
      'attempts' | 'invitation_id'
    >
    sim_events: Table<
      {
        id: number
        container_id: string
        organization_id: string
        due_at: Date
        kind: string
        network_id: string | null
        person: string | null
        waits_for: string | null
        payload: unknown
      },
      'id' | 'network_id' | 'person' | 'waits_for'
    >
    sim_fault_hits: Table<
      {
        container_id: string
        key: string
        hits: number
      },
      never
    >
    sim_faults: Table<
      {
        only_row: boolean
        settings: unknown
      },
      'only_row'
    >
    sim_messages: Table<
      {
        id: number
        container_id: string
        organization_id: string
        direction: string
        client_id: string
        network_id: string
        chat: string
        content: unknown
        typed: boolean
        failed: boolean
        at: Date
        seen_at: Date | null
        revoked_at: Date | null
      },
      'id' | 'seen_at' | 'revoked_at'
    >
    sim_people: Table<
      {
        digits: string
        online: boolean
      },
      never
    >
    sim_sessions: Table<
      {
        container_id: string
        organization_id: string
        status: string
        phone: string | null
        host_down: boolean
        restricted_until: Date | null
        contacts_synced_at: Date | null
        step_at: Date | null
        machine: unknown
        profile: unknown
        contacts: unknown
      },
      'phone' | 'host_down' | 'restricted_until' | 'contacts_synced_at' | 'step_at' | 'contacts'
    >
    sim_typing: Table<
      {
        container_id: string
        chat: string
        organization_id: string
        since: Date
        until: Date
      },
      never
    >
    suspects: Table<
      {
        kind: string
        item: string
        organization_id: string | null
        lost_processes: number
        lost_at: Date
        set_aside_at: Date | null
      },
      'organization_id' | 'set_aside_at'
    >
    trial_usage: Table<
      {
        organization_id: string
        day: string
        used: number
      },
      never
    >
    uploads: Table<
      {
        id: string
        organization_id: string
        sha256: Buffer
        format: string
        filename: string
        mimetype: string
        size_bytes: number
        bytes: Buffer
        expires_at: Date
      },
      never
    >
    user_tokens: Table<
      {
        token_hash: Buffer
        id: string
        user_id: string
        organization_id: string
        created_at: Date
        last_used_at: Date
        expires_at: Date
        ip: string | null
        user_agent: string | null
        two_factor_at: Date | null
        carrier: string | null
      },
      'ip' | 'user_agent' | 'two_factor_at' | 'carrier'
    >
    user_two_factor: Table<
      {
        user_id: string
        sealed_secret: string | null
        pending_sealed: string | null
        pending_until: Date | null
        enabled_at: Date | null
        last_step: number | null
      },
      'sealed_secret' | 'pending_sealed' | 'pending_until' | 'enabled_at' | 'last_step'
    >
    users: Table<
      {
        id: string
        name: string
        email: string
        password_hash: string | null
        email_verified_at: Date | null
        had_trial_at: Date | null
        created_at: Date
      },
      'password_hash' | 'email_verified_at' | 'had_trial_at'
    >
    waha_hosts: Table<
      {
        id: string
        url: string
        sealed_key: string
        sealed_hook_key: string
        engine: string
        version: string
        capacity: number
        draining: boolean
        seen_at: Date | null
        polled_at: Date | null
        groups: boolean
      },
      'draining' | 'seen_at' | 'polled_at' | 'groups'
    >
    waha_sessions: Table<
      {
        container_id: string
        organization_id: string
        host_id: string
        status: string | null
        reported_status: string | null
        sequence: number
        heard_at: Date | null
        examined_at: Date | null
        repaired_at: Date | null
        limits: string | null
        taken_at: Date | null
        message_heard_at: Date | null
      },
      'status' | 'reported_status' | 'sequence' | 'heard_at' | 'examined_at' | 'repaired_at' | 'limits' | 'taken_at' | 'message_heard_at'
    >
    webhook_deliveries: Table<
      {
        id: string
        event_id: string
        organization_id: string
        endpoint_id: string
        status: string
        replay: boolean
        attempts: number
        next_attempt_at: Date
        lease_token: string | null
        lease_until: Date | null
        last_status: number | null
        last_error: string | null
        attempt_log: unknown
        created_at: Date
        finished_at: Date | null
        lost_processes: number
      },
      'replay' | 'attempts' | 'lease_token' | 'lease_until' | 'last_status' | 'last_error' | 'attempt_log' | 'finished_at' | 'lost_processes'
    >
    webhooks: Table<
      {
        id: string
        organization_id: string
        main: boolean
        url: string | null
        label: string | null
        kinds: string[] | null
        secret: string | null
        previous_secret: string | null
        previous_until: Date | null
        created_at: Date
        updated_at: Date
      },
      'id' | 'main' | 'url' | 'label' | 'kinds' | 'secret' | 'previous_secret' | 'previous_until' | 'created_at'
    >
    work_batches: Table<
      {
        id: string
        kind: string
        items: string[]
        organizations: string[]
        lease_until: Date
      },
      never
    >
  }
}
