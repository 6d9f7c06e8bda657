// Generated from a migrated database by: npm run generate
import type { Knex } from 'knex'

/** A row of a table, as it arrives through the pools of db.ts. */
export type Row<Name extends Knex.TableNames> = Readonly<Knex.ResolveTableType<Knex.TableType<Name>>>

/** What an outer join yields for `Joined`: its columns, or nulls where there is no row. */
export type OuterJoined<Joined> = Joined | { readonly [Column in keyof Joined]: null }

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
        userId: string
        kind: string
        organizationId: string | null
        tokenHash: Buffer
        expiresAt: Date
      },
      'organizationId'
    >
    activity_log: Table<
      {
        id: number
        organizationId: string
        at: Date
        actorKind: string
        actorId: string | null
        action: string
        subject: string | null
        details: unknown
        ip: string | null
        requestId: string | null
        userAgent: string | null
      },
      'id' | 'actorId' | 'subject' | 'details' | 'ip' | 'requestId' | 'userAgent'
    >
    ai_usage: Table<
      {
        organizationId: string
        period: string
        reservedMicroUsd: number
        usedMicroUsd: number
        calls: number
      },
      'reservedMicroUsd' | 'usedMicroUsd' | 'calls'
    >
    api_keys: Table<
      {
        keyHash: Buffer
        organizationId: string
        containerId: string | null
        preview: string
        createdAt: Date
        lastUsedAt: Date | null
      },
      'containerId' | 'lastUsedAt'
    >
    attempt_windows: Table<
      {
        bucket: string
        attempts: number
        endsAt: Date
      },
      never
    >
    billing_accounts: Table<
      {
        organizationId: string
        customerId: string | null
        currency: string
        subscriptionId: string | null
        status: string
        period: string | null
        items: unknown
        amount: number | null
        credit: number
        currentPeriodStart: Date | null
        currentPeriodEnd: Date | null
        cancelAtPeriodEnd: boolean
        endsAt: Date | null
        pastDueSince: Date | null
        graceEndsAt: Date | null
        pending: unknown
        openInvoice: unknown
        card: unknown
        checkout: unknown
        wanted: number
        seen: number
        dueAt: Date | null
        refreshedAt: Date | null
        leaseUntil: Date | null
        leaseToken: string | null
        livemode: boolean
        createdAt: Date
      },
      'customerId' | 'subscriptionId' | 'status' | 'period' | 'items' | 'amount' | 'credit' | 'currentPeriodStart' | 'currentPeriodEnd' | 'cancelAtPeriodEnd' | 'endsAt' | 'pastDueSince' | 'graceEndsAt' | 'pending' | 'openInvoice' | 'card' | 'checkout' | 'wanted' | 'seen' | 'dueAt' | 'refreshedAt' | 'leaseUntil' | 'leaseToken'
    >
    billing_invoices: Table<
      {
        id: string
        organizationId: string
        providerId: string
        number: string | null
        status: string
        currency: string
        subtotal: number
        tax: number
        total: number
        paid: number
        refunded: number
        disputed: boolean
        createdAt: Date
        paidAt: Date | null
        failedAt: Date | null
        periodStart: Date
        periodEnd: Date
        payUrl: string | null
        lines: unknown
        receiptMailedAt: Date | null
        failureMailedAt: Date | null
      },
      'number' | 'refunded' | 'disputed' | 'paidAt' | 'failedAt' | 'payUrl' | 'receiptMailedAt' | 'failureMailedAt'
    >
    billing_operations: Table<
      {
        id: string
        organizationId: string
        kind: string
        request: unknown
        actorKind: string
        actorId: string | null
        state: string
        providerRef: string | null
        waitsUntil: Date | null
        createdAt: Date
        finishedAt: Date | null
      },
      'actorId' | 'state' | 'providerRef' | 'waitsUntil' | 'finishedAt'
    >
    bot_answers: Table<
      {
        id: string
        botId: string
        organizationId: string
        answer: string
        lang: string
        enabled: boolean
        createdAt: Date
        updatedAt: Date
      },
      never
    >
    bot_conversations: Table<
      {
        id: string
        botId: string
        organizationId: string
        containerId: string
        contactId: string
        lang: string
        state: string
        personUntil: Date | null
        greeted: boolean
        failures: number
        choices: unknown
        awaySaidAt: Date | null
        saidAt: unknown
        stepsAt: unknown
        draft: unknown
        dueAt: Date | null
        waitingSince: Date | null
        attempts: number
        leaseToken: string | null
        startedAt: Date
        lastAt: Date
        closedAt: Date | null
      },
      'state' | 'personUntil' | 'greeted' | 'failures' | 'choices' | 'awaySaidAt' | 'saidAt' | 'stepsAt' | 'draft' | 'dueAt' | 'waitingSince' | 'attempts' | 'leaseToken' | 'closedAt'
    >
    bot_inbox: Table<
      {
        id: number
        conversationId: string
        organizationId: string
        text: string
        isPlace: boolean
        writtenAt: Date
        receivedAt: Date
      },
      'id' | 'isPlace'
    >
    bot_numbers: Table<
      {
        botId: string
        containerId: string
        organizationId: string
        active: boolean
        place: number
      },
      'active'
    >
    bot_order_lines: Table<
      {
        orderId: string
        place: number
        organizationId: string
        productId: string
        name: string
        price: number
        quantity: number
      },
      never
    >
    bot_order_phones: Table<
      {
        botId: string
        phone: string
        organizationId: string
        name: string | null
        createdAt: Date
      },
      'name'
    >
    bot_orders: Table<
      {
        id: string
        botId: string
        organizationId: string
        conversationId: string
        containerId: string
        contactId: string
        number: number
        status: string
        deliveryFee: number
        total: number
        currency: string
        name: string | null
        address: string | null
        note: string | null
        history: unknown
        placedAt: Date
        updatedAt: Date
      },
      'name' | 'address' | 'note'
    >
    bot_products: Table<
      {
        id: string
        botId: string
        organizationId: string
        sku: string | null
        name: string
        description: string
        price: number
        stock: number | null
        available: boolean
        position: number
        createdAt: Date
        updatedAt: Date
      },
      'sku' | 'stock'
    >
    bot_questions: Table<
      {
        answerId: string
        place: number
        botId: string
        organizationId: string
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
        botId: string
        organizationId: string
        conversationId: string
        question: string
        lang: string | null
        reason: string | null
        status: string
        answer: string | null
        createdAt: Date
        resolvedAt: Date | null
      },
      'lang' | 'reason' | 'status' | 'answer' | 'resolvedAt'
    >
    bot_turns: Table<
      {
        id: number
        conversationId: string
        organizationId: string
        at: Date
        question: string
        kind: string
        said: string | null
        answerId: string | null
        score: number | null
        messageId: string | null
      },
      'id' | 'said' | 'answerId' | 'score' | 'messageId'
    >
    bot_voice_notes: Table<
      {
        id: number
        organizationId: string
        containerId: string
        arrival: unknown
        dueAt: Date
        attempts: number
        receivedAt: Date
      },
      'id' | 'attempts'
    >
    bots: Table<
      {
        id: string
        organizationId: string
        name: string
        status: string
        languages: string[]
        texts: unknown
        instructions: string
        hours: unknown
        outsideHours: string
        personWords: string[]
        humanPauseMinutes: number
        shop: unknown
        knowledgeVersion: number
        createdAt: Date
        updatedAt: Date
      },
      'status' | 'hours' | 'shop' | 'knowledgeVersion'
    >
    campaign_count_changes: Table<
      {
        campaignId: string
        organizationId: string
        sent: number
        delivered: number
        failed: number
        read: number
      },
      never
    >
    campaign_counts: Table<
      {
        campaignId: string
        organizationId: string
        sent: number
        delivered: number
        failed: number
        read: number
      },
      never
    >
    campaign_ends: Table<
      {
        campaignId: string
      },
      never
    >
    campaign_pacing: Table<
      {
        organizationId: string
        nextSendAt: Date
      },
      never
    >
    campaign_recipients: Table<
      {
        campaignId: string
        organizationId: string
        position: number
        phone: string
        variables: unknown
      },
      never
    >
    campaigns: Table<
      {
        id: string
        organizationId: string
        containerId: string | null
        name: string
        template: string
        status: string
        total: number
        scheduledAt: Date | null
        startError: string | null
        startTriedAt: Date | null
        startFailingSince: Date | null
        anyHour: boolean
        pauseReason: string | null
        createdAt: Date
        startedAt: Date | null
        completedAt: Date | null
        clientReference: string | null
      },
      'containerId' | 'scheduledAt' | 'startError' | 'startTriedAt' | 'startFailingSince' | 'anyHour' | 'pauseReason' | 'startedAt' | 'completedAt' | 'clientReference'
    >
    change_limits: Table<
      {
        organizationId: string
        tat: Date
      },
      never
    >
    chat_changes: Table<
      {
        id: number
        organizationId: string
        containerId: string
        messageId: string | null
        contactId: string | null
      },
      'id' | 'messageId' | 'contactId'
    >
    chat_messages: Table<
      {
        id: string
        organizationId: string
        containerId: string
        contactId: string | null
        direction: string
        networkId: string | null
        at: Date
        ours: boolean
        imported: boolean
        type: string
        text: string
        attachment: string | null
        unread: boolean
        editedAt: Date | null
        revokedAt: Date | null
        networkRef: unknown
        file: unknown
      },
      'contactId' | 'networkId' | 'ours' | 'imported' | 'attachment' | 'unread' | 'editedAt' | 'revokedAt' | 'networkRef' | 'file'
    >
    chats: Table<
      {
        containerId: string
        contactId: string
        organizationId: string
        lastAt: Date
        unread: number
      },
      'unread'
    >
    contacts: Table<
      {
        id: string
        organizationId: string
        phone: string | null
        lid: string | null
        savedName: string | null
        networkName: string | null
        savedIn: string[]
        knownTo: string[]
        optedOut: boolean
        optedAt: Date | null
        createdAt: Date
        searchText: string
      },
      'phone' | 'lid' | 'savedName' | 'networkName' | 'savedIn' | 'knownTo' | 'optedOut' | 'optedAt' | 'searchText'
    >
    database_identity: Table<
      {
        onlyRow: boolean
        identity: string
        timeline: string
      },
      'onlyRow'
    >
    erasures: Table<
      {
        organizationId: string
        nameHash: Buffer
        deletedAt: Date
        erasedAt: Date
      },
      never
    >
    event_positions: Table<
      {
        organizationId: string
        lastPosition: number
      },
      never
    >
    event_streams: Table<
      {
        id: string
        organizationId: string
        kind: string
        until: Date
      },
      never
    >
    events: Table<
      {
        id: string
        organizationId: string
        position: number
        event: string
        data: unknown
        messageId: string | null
        createdAt: Date
        sample: boolean
      },
      'messageId' | 'sample'
    >
    gateway_history: Table<
      {
        containerId: string
        chat: string
        networkId: string
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
        startedAt: Date
        seenAt: Date
        webVersion: string | null
      },
      'draining' | 'webVersion'
    >
    gateway_inbox: Table<
      {
        id: number
        driver: string
        host: string
        eventId: string
        containerId: string
        organizationId: string
        body: Buffer
        receivedAt: Date
        attempts: number
        dueAt: Date
        setAsideAt: Date | null
      },
      'id' | 'receivedAt' | 'attempts' | 'dueAt' | 'setAsideAt'
    >
    gateway_keys: Table<
      {
        containerId: string
        kind: number
        id: string
        value: Buffer
      },
      never
    >
    gateway_last_times: Table<
      {
        containerId: string
        organizationId: string
        lastMs: number
      },
      never
    >
    gateway_sent: Table<
      {
        containerId: string
        networkId: string
        chat: string
        message: Buffer
        isPoll: boolean
        ackedAt: Date | null
        deliveredAt: Date | null
        createdAt: Date
      },
      'isPoll' | 'ackedAt' | 'deliveredAt' | 'createdAt'
    >
    gateway_sessions: Table<
      {
        containerId: string
        organizationId: string
        wanted: string
        request: string | null
        hostId: string | null
        epoch: number
        leaseUntil: Date
        lastHostId: string | null
        sealedKey: string | null
        creds: Buffer | null
        me: unknown
        status: string
        reason: string | null
        retry: string | null
        sequence: number
        stateAt: Date
        sealedProxy: string | null
        linkedAt: Date | null
        retiredAt: Date | null
        retiredCreds: Buffer | null
        code: number | null
      },
      'wanted' | 'request' | 'hostId' | 'epoch' | 'leaseUntil' | 'lastHostId' | 'sealedKey' | 'creds' | 'me' | 'status' | 'reason' | 'retry' | 'stateAt' | 'sealedProxy' | 'linkedAt' | 'retiredAt' | 'retiredCreds' | 'code'
    >
    gateway_web_version: Table<
      {
        onlyRow: boolean
        version: string | null
        source: string | null
        knownAt: Date | null
        triedAt: Date | null
        fault: string | null
      },
      'onlyRow' | 'version' | 'source' | 'knownAt' | 'triedAt' | 'fault'
    >
    guard_sends: Table<
      {
        id: number
        organizationId: string
        containerId: string
        at: Date
        messageId: string
        recipient: string
        opens: boolean
        refusedAt: Date | null
      },
      'id' | 'refusedAt'
    >
    history_imports: Table<
      {
        containerId: string
        organizationId: string
        requestedAt: Date | null
        dueAt: Date | null
        reachedAt: Date | null
        attempts: number
        phoneBusyAt: Date | null
        importedAt: Date | null
      },
      'requestedAt' | 'dueAt' | 'reachedAt' | 'attempts' | 'phoneBusyAt' | 'importedAt'
    >
    idempotency_keys: Table<
      {
        organizationId: string
        credential: string
        route: string
        key: string
        requestHash: Buffer
        messageId: string | null
        status: number | null
        body: unknown
        createdAt: Date
      },
      'messageId' | 'status' | 'body'
    >
    invitations: Table<
      {
        id: string
        organizationId: string
        email: string
        role: string
        tokenHash: Buffer
        delivery: string
        invitedBy: string | null
        createdAt: Date
        expiresAt: Date
        acceptedAt: Date | null
        cancelledAt: Date | null
      },
      'invitedBy' | 'acceptedAt' | 'cancelledAt'
    >
    lanes: Table<
      {
        containerId: string
        organizationId: string
        open: boolean
        guarded: boolean | null
        nextClaimAt: Date
        nextSendAt: Date
        nextCampaignSendAt: Date
      },
      'open' | 'guarded' | 'nextClaimAt' | 'nextSendAt' | 'nextCampaignSendAt'
    >
    mails: Table<
      {
        id: string
        organizationId: string | null
        toEmail: string
        kind: string
        sealedBody: string | null
        createdAt: Date
        dueAt: Date | null
        attempts: number
        leaseUntil: Date | null
        sentAt: Date | null
        failedAt: Date | null
        error: string | null
      },
      'organizationId' | 'sealedBody' | 'dueAt' | 'attempts' | 'leaseUntil' | 'sentAt' | 'failedAt' | 'error'
    >
    mcp_actions: Table<
      {
        id: string
        organizationId: string
        connectionId: string | null
        credential: string
        tool: string
        idempotencyKey: string
        argumentsHash: Buffer
        argumentsSealed: string | null
        reason: string
        summary: string
        state: string
        requestedAt: Date
        expiresAt: Date
        decidedBy: string | null
        decidedAt: Date | null
        carriedOutBy: Date | null
        result: unknown
      },
      'connectionId' | 'argumentsSealed' | 'decidedBy' | 'decidedAt' | 'carriedOutBy' | 'result'
    >
    mcp_calls: Table<
      {
        id: number
        organizationId: string
        connectionId: string | null
        credential: string
        tool: string
        at: Date
        outcome: string
        code: string | null
        ms: number
        phone: string | null
      },
      'id' | 'connectionId' | 'code' | 'phone'
    >
    mcp_connections: Table<
      {
        id: string
        organizationId: string
        userId: string
        clientId: string
        clientName: string
        clientHost: string | null
        scopes: string[]
        containerId: string | null
        twoFactorAt: Date | null
        createdAt: Date
        lastUsedAt: Date | null
        revokedAt: Date | null
        reason: string | null
      },
      'clientHost' | 'containerId' | 'twoFactorAt' | 'lastUsedAt' | 'revokedAt' | 'reason'
    >
    mcp_read_texts: Table<
      {
        id: number
        organizationId: string
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
        organizationId: string
        credential: string
        at: Date
      },
      never
    >
    mcp_settings: Table<
      {
        organizationId: string
        enabled: boolean
        sendsPerHour: number
        approve: string
        keyScopes: string[]
      },
      never
    >
    members: Table<
      {
        organizationId: string
        userId: string
        role: string
        createdAt: Date
        lastSessionAt: Date | null
      },
      'lastSessionAt'
    >
    message_count_changes: Table<
      {
        organizationId: string
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
        organizationId: string
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
        organizationId: string
        containerId: string | null
        createdAt: Date
        messageId: string
      },
      'containerId'
    >
    message_text_changes: Table<
      {
        organizationId: string
        createdAt: Date
        messageId: string
      },
      never
    >
    message_texts: Table<
      {
        organizationId: string
        createdAt: Date
        messageId: string
        searchText: string
      },
      never
    >
    message_totals: Table<
      {
        organizationId: string
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
        organizationId: string
        containerId: string | null
        type: string
        kind: string
        recipient: string
        content: string
        priority: string
        status: string
        error: string | null
        errorCode: string | null
        attempts: number
        lostClaims: number
        pinned: boolean
        direct: boolean
        clientReference: string | null
        campaignId: string | null
        reminderId: string | null
        sentBy: string | null
        botId: string | null
        conversationId: string | null
        networkClientId: string
        gatewayMessageId: string | null
        networkRef: unknown
        dueAt: Date
        queueAt: Date
        leaseToken: string | null
        leaseUntil: Date | null
        sendStartedToken: string | null
        outcomeUnknownSince: Date | null
        unacknowledgedSince: Date | null
        sentReported: boolean
        callerError: unknown
        attemptLog: unknown
        guardRule: string | null
        guardOpens: boolean | null
        guardHeldAt: Date | null
        createdAt: Date
        sentAt: Date | null
        deliveredAt: Date | null
        readAt: Date | null
        failedAt: Date | null
        editedAt: Date | null
        deletedAt: Date | null
        lostProcesses: number
      },
      'containerId' | 'error' | 'errorCode' | 'attempts' | 'lostClaims' | 'pinned' | 'direct' | 'clientReference' | 'campaignId' | 'reminderId' | 'sentBy' | 'botId' | 'conversationId' | 'gatewayMessageId' | 'networkRef' | 'leaseToken' | 'leaseUntil' | 'sendStartedToken' | 'outcomeUnknownSince' | 'unacknowledgedSince' | 'sentReported' | 'callerError' | 'attemptLog' | 'guardRule' | 'guardOpens' | 'guardHeldAt' | 'sentAt' | 'deliveredAt' | 'readAt' | 'failedAt' | 'editedAt' | 'deletedAt' | 'lostProcesses'
    >
    number_guards: Table<
      {
        containerId: string
        organizationId: string
        mode: string | null
        conversations: number | null
        perHour: number | null
        perDay: number | null
        networkUsed: number | null
        networkQuota: number | null
        networkResetsAt: Date | null
        networkReportedAt: Date | null
        stoppedAt: Date | null
        judgedFrom: Date
        warnedAt: Date
        pausedUntil: Date | null
      },
      'mode' | 'conversations' | 'perHour' | 'perDay' | 'networkUsed' | 'networkQuota' | 'networkResetsAt' | 'networkReportedAt' | 'stoppedAt' | 'judgedFrom' | 'warnedAt' | 'pausedUntil'
    >
    number_history: Table<
      {
        id: number
        organizationId: string
        containerId: string
        at: Date
        fromStatus: string | null
        toStatus: string
        reason: string | null
        source: string
      },
      'id' | 'fromStatus' | 'reason'
    >
    numbers: Table<
      {
        id: string
        organizationId: string
        gateway: string
        label: string
        instanceName: string
        isDefault: boolean
        status: string
        statusAt: Date
        statusSince: Date
        statusReason: string | null
        reportSequence: number
        desiredState: string
        phoneNumber: string | null
        networkId: string | null
        pushName: string | null
        lastLinkedPhone: string | null
        linkedAt: Date | null
        everLinked: boolean
        queueHeldAt: Date | null
        lastReportedProblem: string | null
        exhaustionReported: boolean
        nextCheckAt: Date | null
        missedProbes: number
        noAcksAt: Date | null
        retryAt: Date | null
        isFinal: boolean
        linkStep: unknown
        blockedUntil: Date | null
        downSince: Date | null
        retryCount: number
        totalRecoveries: number
        totalFailures: number
        connectedSince: Date | null
        lastHealthyAt: Date | null
        lastErrorAt: Date | null
        lastError: string | null
        createdAt: Date
        statusCode: number | null
        unusedWarnedAt: Date | null
        restrictedUntil: Date | null
      },
      'gateway' | 'isDefault' | 'statusReason' | 'reportSequence' | 'desiredState' | 'phoneNumber' | 'networkId' | 'pushName' | 'lastLinkedPhone' | 'linkedAt' | 'everLinked' | 'queueHeldAt' | 'lastReportedProblem' | 'exhaustionReported' | 'nextCheckAt' | 'missedProbes' | 'noAcksAt' | 'retryAt' | 'isFinal' | 'linkStep' | 'blockedUntil' | 'downSince' | 'retryCount' | 'totalRecoveries' | 'totalFailures' | 'connectedSince' | 'lastHealthyAt' | 'lastErrorAt' | 'lastError' | 'statusCode' | 'unusedWarnedAt' | 'restrictedUntil'
    >
    oauth_clients: Table<
      {
        id: string
        name: string
        host: string | null
        redirectUris: string[]
        createdAt: Date
        usedAt: Date | null
        keptUntil: Date | null
      },
      'host' | 'usedAt' | 'keptUntil'
    >
    oauth_codes: Table<
      {
        codeHash: Buffer
        connectionId: string
        clientId: string
        redirectUri: string
        codeChallenge: string
        expiresAt: Date
        usedAt: Date | null
      },
      'usedAt'
    >
    oauth_requests: Table<
      {
        id: string
        clientId: string
        clientName: string
        clientHost: string | null
        redirectUri: string
        scopes: string[]
        state: string | null
        codeChallenge: string
        issuer: string
        browserHash: Buffer
        expiresAt: Date
        answeredAt: Date | null
      },
      'clientHost' | 'state' | 'answeredAt'
    >
    oauth_tokens: Table<
      {
        tokenHash: Buffer
        connectionId: string
        kind: string
        scopes: string[]
        expiresAt: Date
        usedAt: Date | null
      },
      'usedAt'
    >
    opt_out_keywords: Table<
      {
        organizationId: string
        keywords: string[]
      },
      never
    >
    order_numbers: Table<
      {
        organizationId: string
        lastNumber: number
      },
      never
    >
    organization_products: Table<
      {
        organizationId: string
        product: string
        grantedAt: Date | null
        pausedAt: Date | null
        paidAt: Date | null
        paidUntil: Date | null
      },
      'grantedAt' | 'pausedAt' | 'paidAt' | 'paidUntil'
    >
    organizations: Table<
      {
        id: string
        name: string
        trialEndsAt: Date | null
        extraNumbers: number
        extraExpiresAt: Date | null
        requireTwoFactor: boolean
        deactivatedAt: Date | null
        protectedAt: Date | null
        deletedAt: Date | null
        deletedBy: string | null
        movingAt: Date | null
        closedAt: Date | null
        movedTo: string | null
        createdAt: Date
        exportedDigests: Buffer[]
        importReceipt: string | null
        movedAt: Date | null
        country: string | null
        countryLockedAt: Date | null
        paidExtraNumbers: number
        aiAllowanceUsd: number | null
        platformAdminAt: Date | null
        deactivatedReason: string | null
        trialMail: string | null
      },
      'trialEndsAt' | 'extraNumbers' | 'extraExpiresAt' | 'requireTwoFactor' | 'deactivatedAt' | 'protectedAt' | 'deletedAt' | 'deletedBy' | 'movingAt' | 'closedAt' | 'movedTo' | 'exportedDigests' | 'importReceipt' | 'movedAt' | 'country' | 'countryLockedAt' | 'paidExtraNumbers' | 'aiAllowanceUsd' | 'platformAdminAt' | 'deactivatedReason' | 'trialMail'
    >
    otp_days: Table<
      {
        organizationId: string
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
        organizationId: string
        containerId: string
        phone: string
        mac: Buffer
        pepper: string
        tries: number
        createdAt: Date
        expiresAt: Date
        verifiedAt: Date | null
      },
      'tries' | 'verifiedAt'
    >
    payment_events: Table<
      {
        id: string
        type: string
        customerId: string | null
        chargeId: string | null
        providerAt: Date
        receivedAt: Date
        seenAt: Date | null
      },
      'customerId' | 'chargeId' | 'seenAt'
    >
    pending_changes: Table<
      {
        containerId: string
        networkId: string
        kind: string
        text: string | null
        at: Date
        receivedAt: Date
        authors: string[] | null
      },
      'text' | 'authors'
    >
    pending_receipts: Table<
      {
        containerId: string
        gatewayMessageId: string
        status: string
        at: Date
        error: string | null
        receivedAt: Date
      },
      'error'
    >
    poll_votes: Table<
      {
        containerId: string
        voteNetworkId: string
        organizationId: string
        pollNetworkId: string
        voter: string
        selectedOptions: unknown
        votedAt: Date
        receivedAt: Date
        messageId: string | null
      },
      'messageId'
    >
    recipient_check_budgets: Table<
      {
        containerId: string
        organizationId: string
        tat: Date
        dayTat: Date
      },
      never
    >
    recipient_checks: Table<
      {
        organizationId: string
        digits: string
        onNetwork: boolean
        chatId: string
        lid: string | null
        validUntil: Date
      },
      'chatId' | 'lid'
    >
    recovery_codes: Table<
      {
        userId: string
        codeHash: Buffer
        usedAt: Date | null
      },
      'usedAt'
    >
    reminder_sends: Table<
      {
        reminderId: string
        scheduleVersion: number
        occurrenceAt: Date
        messageId: string
      },
      never
    >
    reminders: Table<
      {
        id: string
        organizationId: string
        ownerId: string
        containerId: string | null
        label: string | null
        phone: string
        message: string
        variables: unknown
        repeat: string
        timeZone: string
        status: string
        sendAt: Date
        firstSendAt: Date
        dueAt: Date
        leaseToken: string | null
        failedTries: number
        failedRepeats: number
        scheduleVersion: number
        batchId: string | null
        sendCount: number
        lastSentAt: Date | null
        lastMessageId: string | null
        lastError: string | null
        createdAt: Date
        updatedAt: Date
        clientReference: string | null
      },
      'containerId' | 'label' | 'leaseToken' | 'failedTries' | 'failedRepeats' | 'scheduleVersion' | 'batchId' | 'sendCount' | 'lastSentAt' | 'lastMessageId' | 'lastError' | 'clientReference'
    >
    reset_requests: Table<
      {
        id: number
        email: string
        ip: string
        createdAt: Date
      },
      'id'
    >
    send_groups: Table<
      {
        organizationId: string
        enabled: boolean
        containerIds: string[]
        mode: string
        sticky: boolean
        updatedAt: Date
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
        onlyRow: boolean
        offsetMs: number
        frozenAt: Date | null
      },
      'onlyRow' | 'offsetMs' | 'frozenAt'
    >
    sign_in_challenges: Table<
      {
        challengeHash: Buffer
        userId: string
        organizationId: string
        attempts: number
        expiresAt: Date
        invitationId: string | null
      },
      'attempts' | 'invitationId'
    >
    sim_events: Table<
      {
        id: number
        containerId: string
        organizationId: string
        dueAt: Date
        kind: string
        networkId: string | null
        person: string | null
        waitsFor: string | null
        payload: unknown
      },
      'id' | 'networkId' | 'person' | 'waitsFor'
    >
    sim_fault_hits: Table<
      {
        containerId: string
        key: string
        hits: number
      },
      never
    >
    sim_faults: Table<
      {
        onlyRow: boolean
        settings: unknown
      },
      'onlyRow'
    >
    sim_messages: Table<
      {
        id: number
        containerId: string
        organizationId: string
        direction: string
        clientId: string
        networkId: string
        chat: string
        content: unknown
        typed: boolean
        failed: boolean
        at: Date
        seenAt: Date | null
        revokedAt: Date | null
      },
      'id' | 'seenAt' | 'revokedAt'
    >
    sim_pay_catalog: Table<
      {
        id: string
        position: number
        kind: string
        content: unknown
      },
      'position'
    >
    sim_pay_customers: Table<
      {
        id: string
        owner: string | null
        world: unknown
        dueAt: Date | null
      },
      'owner' | 'dueAt'
    >
    sim_pay_events: Table<
      {
        id: string
        position: number
        customerId: string
        type: string
        content: unknown
        createdAt: Date
        dueAt: Date | null
        held: boolean
        attempts: number
        deliveries: unknown
      },
      'position' | 'dueAt' | 'held' | 'attempts' | 'deliveries'
    >
    sim_pay_faults: Table<
      {
        owner: string
        calls: string | null
        onlyCalls: string | null
        times: number | null
        webhooks: string | null
      },
      'calls' | 'onlyCalls' | 'times' | 'webhooks'
    >
    sim_pay_requests: Table<
      {
        key: string
        request: string
        status: number
        response: unknown
        createdAt: Date
      },
      never
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
        containerId: string
        organizationId: string
        status: string
        phone: string | null
        hostDown: boolean
        restrictedUntil: Date | null
        contactsSyncedAt: Date | null
        stepAt: Date | null
        machine: unknown
        profile: unknown
        contacts: unknown
      },
      'phone' | 'hostDown' | 'restrictedUntil' | 'contactsSyncedAt' | 'stepAt' | 'contacts'
    >
    sim_typing: Table<
      {
        containerId: string
        chat: string
        organizationId: string
        since: Date
        until: Date
      },
      never
    >
    suspects: Table<
      {
        kind: string
        item: string
        organizationId: string | null
        lostProcesses: number
        lostAt: Date
        setAsideAt: Date | null
      },
      'organizationId' | 'setAsideAt'
    >
    trial_usage: Table<
      {
        organizationId: string
        day: string
        used: number
      },
      never
    >
    uploads: Table<
      {
        id: string
        organizationId: string
        sha256: Buffer
        format: string
        filename: string
        mimetype: string
        sizeBytes: number
        bytes: Buffer
        expiresAt: Date
      },
      never
    >
    user_tokens: Table<
      {
        tokenHash: Buffer
        id: string
        userId: string
        organizationId: string
        createdAt: Date
        lastUsedAt: Date
        expiresAt: Date
        ip: string | null
        userAgent: string | null
        twoFactorAt: Date | null
        carrier: string | null
      },
      'ip' | 'userAgent' | 'twoFactorAt' | 'carrier'
    >
    user_two_factor: Table<
      {
        userId: string
        sealedSecret: string | null
        pendingSealed: string | null
        pendingUntil: Date | null
        enabledAt: Date | null
        lastStep: number | null
      },
      'sealedSecret' | 'pendingSealed' | 'pendingUntil' | 'enabledAt' | 'lastStep'
    >
    users: Table<
      {
        id: string
        name: string
        email: string
        passwordHash: string | null
        emailVerifiedAt: Date | null
        hadTrialAt: Date | null
        createdAt: Date
      },
      'passwordHash' | 'emailVerifiedAt' | 'hadTrialAt'
    >
    waha_hosts: Table<
      {
        id: string
        url: string
        sealedKey: string
        sealedHookKey: string
        engine: string
        version: string
        capacity: number
        draining: boolean
        seenAt: Date | null
        polledAt: Date | null
        groups: boolean
      },
      'draining' | 'seenAt' | 'polledAt' | 'groups'
    >
    waha_sessions: Table<
      {
        containerId: string
        organizationId: string
        hostId: string
        status: string | null
        reportedStatus: string | null
        sequence: number
        heardAt: Date | null
        examinedAt: Date | null
        repairedAt: Date | null
        limits: string | null
        takenAt: Date | null
        messageHeardAt: Date | null
      },
      'status' | 'reportedStatus' | 'sequence' | 'heardAt' | 'examinedAt' | 'repairedAt' | 'limits' | 'takenAt' | 'messageHeardAt'
    >
    webhook_deliveries: Table<
      {
        id: string
        eventId: string
        organizationId: string
        endpointId: string
        status: string
        replay: boolean
        attempts: number
        nextAttemptAt: Date
        leaseToken: string | null
        leaseUntil: Date | null
        lastStatus: number | null
        lastError: string | null
        attemptLog: unknown
        createdAt: Date
        finishedAt: Date | null
        lostProcesses: number
      },
      'replay' | 'attempts' | 'leaseToken' | 'leaseUntil' | 'lastStatus' | 'lastError' | 'attemptLog' | 'finishedAt' | 'lostProcesses'
    >
    webhooks: Table<
      {
        id: string
        organizationId: string
        main: boolean
        url: string | null
        label: string | null
        kinds: string[] | null
        secret: string | null
        previousSecret: string | null
        previousUntil: Date | null
        createdAt: Date
        updatedAt: Date
      },
      'id' | 'main' | 'url' | 'label' | 'kinds' | 'secret' | 'previousSecret' | 'previousUntil' | 'createdAt'
    >
    work_batches: Table<
      {
        id: string
        kind: string
        items: string[]
        organizations: string[]
        leaseUntil: Date
      },
      never
    >
  }
}
