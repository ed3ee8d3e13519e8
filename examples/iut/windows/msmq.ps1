<#
.SYNOPSIS
MSMQ on this machine, as an IUT of the role queue_manager: JSON-RPC on standard input and output.

.DESCRIPTION
NOBODY HAS RUN THIS ON WINDOWS YET. It was written from the documentation of System.Messaging; README.md says what was tried.

For Windows PowerShell 5.1 with the feature MSMQ (Enable-WindowsOptionalFeature -Online -FeatureName MSMQ-Server), as an
administrator. It purges the dead-letter queues and the journal of this machine and stops its message queuing service: take a
machine that is for tests and nothing else, and say so by the switch.
#>
param([switch] $ThisMachineIsForTests)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
if (-not $ThisMachineIsForTests) {
    [Console]::Error.WriteLine('msmq.ps1 purges system queues and stops MSMQ; say -ThisMachineIsForTests where it may')
    exit 4
}
Add-Type -AssemblyName System.Messaging
$utf8 = New-Object System.Text.UTF8Encoding $false
[Console]::InputEncoding = $utf8
[Console]::OutputEncoding = $utf8

$Prefix = '.\private$\mqconform-'
$System = @{
    dead_letter               = 'FormatName:DIRECT=OS:.\SYSTEM$;DEADLETTER'
    transactional_dead_letter = 'FormatName:DIRECT=OS:.\SYSTEM$;DEADXACT'
    journal                   = 'FormatName:DIRECT=OS:.\SYSTEM$;JOURNAL'
}
$Machine = ''
$Handles = @{}
$Cursors = @{}
$Transactions = @{}
$Waits = @{}
$Number = 0

class NotOffered : System.Exception { NotOffered([string] $what) : base("not offered: $what") { } }

# Everything that has no name of its own in MSMQ gets a number.
function New-Number { $script:Number += 1; return $script:Number }

function Test-Given($params, [string] $name) { return $null -ne $params.PSObject.Properties[$name] }

function Get-QueuePath([string] $name) { return $Prefix + $name }

function Get-AddressPath($address) {
    if (Test-Given $address 'system') { return $System[$address.system] }
    return Get-QueuePath $address.direct.queue
}

function Get-Known([hashtable] $table, $key) {
    if (-not $table.ContainsKey("$key")) { throw [System.InvalidOperationException] 'there is no such thing any more' }
    return $table["$key"]
}

function Clear-Applications {
    foreach ($handle in $Handles.Values) { $handle.queue.Close() }
    foreach ($transaction in $Transactions.Values) { $transaction.Dispose() }
    $Handles.Clear(); $Cursors.Clear(); $Transactions.Clear()
}

# The machine

function Invoke-Configure($params) {
    if (@($params.machines).Count -ne 1) { throw [NotOffered] 'several machines' }
    $script:Machine = $params.machines[0].name
    Clear-Applications
    $Waits.Clear()
    Start-Service MSMQ
    foreach ($queue in [System.Messaging.MessageQueue]::GetPrivateQueuesByMachine('.')) {
        if ($queue.QueueName -like 'private$\mqconform-*') { [System.Messaging.MessageQueue]::Delete(".\$($queue.QueueName)") }
    }
    foreach ($path in $System.Values) { (New-Object System.Messaging.MessageQueue $path).Purge() }
    return @{}
}

function Invoke-Start { Start-Service MSMQ; return @{ started = ((Get-Service MSMQ).Status -eq 'Running') } }

function Invoke-Stop { Stop-Service MSMQ -Force; Clear-Applications; return @{} }

function Invoke-Crash {
    $service = Get-CimInstance Win32_Service -Filter "Name='MSMQ'"
    Stop-Process -Id $service.ProcessId -Force
    (Get-Service MSMQ).WaitForStatus('Stopped', [TimeSpan]::FromSeconds(30))
    Clear-Applications
    return @{}
}

function Invoke-State {
    $states = @{ Running = 'running'; Stopped = 'stopped'; StartPending = 'initializing'; StopPending = 'stopping' }
    return @{ state = $states["$((Get-Service MSMQ).Status)"] }
}

# Queues

function Invoke-CreateQueue($params) {
    $properties = $params.properties
    $room = if (Test-Given $properties 'room') { $properties.room } else { $null }
    # MSMQ counts kilobytes; a number of messages has no counterpart.
    if ($null -ne $room -and $properties.room_unit -ne 'kilobytes') { throw [NotOffered] 'room in messages' }
    $public = (Test-Given $params 'public') -and $params.public
    $path = if ($public) { ".\mqconform-$($params.queue)" } else { Get-QueuePath $params.queue }
    $transactional = (Test-Given $properties 'transactional') -and $properties.transactional
    $queue = [System.Messaging.MessageQueue]::Create($path, $transactional)
    if ($null -ne $room) { $queue.MaximumQueueSize = $room }
    $queue.Close()
    return @{ queue = $params.queue }
}

function Invoke-SetQueue($params) {
    $queue = New-Object System.Messaging.MessageQueue (Get-QueuePath $params.queue)
    $room = $params.properties.room
    if ($null -eq $room) { $room = [System.Messaging.MessageQueue]::InfiniteQueueSize }
    $queue.MaximumQueueSize = $room
    return @{}
}

function Invoke-DeleteQueue($params) {
    [System.Messaging.MessageQueue]::Delete((Get-QueuePath $params.queue))
    return @{}
}

function Invoke-Purge($params) {
    (New-Object System.Messaging.MessageQueue (Get-QueuePath $params.queue)).Purge()
    return @{}
}

function Invoke-QueueProperties($params) {
    $queue = New-Object System.Messaging.MessageQueue (Get-QueuePath $params.queue)
    return @{ properties = @{ transactional = $queue.Transactional }; messages = $queue.GetAllMessages().Length }
}

function Invoke-Open($params) {
    $path = Get-AddressPath $params.address
    if (-not $path.StartsWith('FormatName:') -and -not [System.Messaging.MessageQueue]::Exists($path)) {
        throw [System.InvalidOperationException] 'there is no such queue'
    }
    $access = [System.Messaging.QueueAccessMode] @{ send = 'Send'; receive = 'Receive'; peek = 'Peek' }[$params.access]
    $number = New-Number
    $Handles["$number"] = @{ queue = (New-Reader $path $access); path = $path; access = $access }
    return @{ handle = $number }
}

function New-Reader([string] $path, $access) {
    $queue = New-Object System.Messaging.MessageQueue $path, $access
    $queue.MessageReadPropertyFilter.SetAll()
    return $queue
}

function Invoke-Close($params) {
    $handle = $Handles["$($params.handle)"]
    if ($null -ne $handle) { $handle.queue.Close(); $Handles.Remove("$($params.handle)") }
    return @{}
}

# Messages

function Invoke-Send($params) {
    $queue = (Get-Known $Handles $params.handle).queue
    $message = New-Object System.Messaging.Message
    $message.Label = ConvertTo-Json $params.message -Compress
    $message.Recoverable = $params.assurance -eq 'recoverable'
    if (Test-Given $params 'time_to_be_received') { $message.TimeToBeReceived = [TimeSpan]::FromSeconds($params.time_to_be_received) }
    if (Test-Given $params 'time_to_reach_queue') { $message.TimeToReachQueue = [TimeSpan]::FromSeconds($params.time_to_reach_queue) }
    $message.UseDeadLetterQueue = (Test-Given $params 'dead_letter') -and $params.dead_letter
    $message.UseJournalQueue = (Test-Given $params 'journal') -and $params.journal
    if (Test-Given $params 'correlation') { $message.CorrelationId = $params.correlation }
    if (Test-Given $params 'response_queue') {
        $message.ResponseQueue = New-Object System.Messaging.MessageQueue (Get-AddressPath $params.response_queue)
    }
    if (Test-Given $params 'acknowledgments') {
        $types = @{ reach = 'PositiveArrival'; receive = 'PositiveReceive'; negative = 'NegativeReceive, NotAcknowledgeReachQueue' }
        $asked = @($params.acknowledgments | ForEach-Object { $types[$_] }) -join ', '
        $message.AcknowledgeType = [System.Messaging.AcknowledgeTypes] $asked
        $message.AdministrationQueue = New-Object System.Messaging.MessageQueue (Get-AddressPath $params.administration_queue)
    }
    if (Test-Given $params 'transaction') { $queue.Send($message, (Get-Known $Transactions $params.transaction)) }
    else { $queue.Send($message) }
    return @{ id = $message.Id }
}

function Invoke-Receive($params) { return Read-Message $params $true }

function Invoke-Peek($params) { return Read-Message $params $false }

function Read-Message($params, [bool] $takes) {
    $handle = Get-Known $Handles $params.handle
    $seconds = if (Test-Given $params 'wait') { $params.wait } else { 0 }
    try { $message = Read-Now $params $handle.queue $takes }
    catch [System.Messaging.MessageQueueException] {
        $code = $_.Exception.GetBaseException().MessageQueueErrorCode
        if ($seconds -eq 0 -or $code -ne [System.Messaging.MessageQueueErrorCode]::IOTimeout) { throw }
        return Start-Wait $params $handle $takes $seconds
    }
    return @{ message = (ConvertTo-Shown $message) }
}

function Read-Now($params, $queue, [bool] $takes) {
    $zero = [TimeSpan]::Zero
    if (Test-Given $params 'id') {
        if ($takes) { return $queue.ReceiveById($params.id, $zero) }
        return $queue.PeekById($params.id, $zero)
    }
    if (Test-Given $params 'cursor') {
        $cursor = Get-Known $Cursors $params.cursor
        $next = (Test-Given $params 'move') -and $params.move -eq 'next'
        $action = if ($next) { [System.Messaging.PeekAction]::Next } else { [System.Messaging.PeekAction]::Current }
        $message = $queue.Peek($zero, $cursor, $action)
        if ($takes) { return $queue.Receive($zero, $cursor) }
        return $message
    }
    if (-not $takes) { return $queue.Peek($zero) }
    if (Test-Given $params 'transaction') { return $queue.Receive($zero, (Get-Known $Transactions $params.transaction)) }
    return $queue.Receive($zero)
}

# Each wait has a queue object of its own: closing it is the way to cancel.
function Start-Wait($params, $handle, [bool] $takes, $seconds) {
    if ($takes -and (Test-Given $params 'transaction')) { throw [NotOffered] 'waits within transactions' }
    $queue = New-Reader $handle.path $handle.access
    $time = [TimeSpan]::FromSeconds($seconds)
    $pending = if ($takes) { $queue.BeginReceive($time) } else { $queue.BeginPeek($time) }
    $number = New-Number
    $Waits["$number"] = @{ number = $number; queue = $queue; pending = $pending; takes = $takes; cancelled = $false }
    return @{ pending = $number }
}

function Invoke-Cancel($params) {
    $wait = $Waits["$($params.operation)"]
    if ($null -ne $wait) { $wait.cancelled = $true; $wait.queue.Close() }
    return @{}
}

function Invoke-Outcomes {
    $ended = New-Object System.Collections.ArrayList
    Start-Sleep -Milliseconds 50 # what was sent a moment ago reaches who waits by another thread
    foreach ($wait in @($Waits.Values | Sort-Object { $_.number })) {
        if (-not ($wait.cancelled -or $wait.pending.IsCompleted)) { continue }
        $Waits.Remove("$($wait.number)")
        try {
            if ($wait.cancelled) { throw [System.InvalidOperationException] 'cancelled' }
            $message = if ($wait.takes) { $wait.queue.EndReceive($wait.pending) } else { $wait.queue.EndPeek($wait.pending) }
            [void] $ended.Add(@{ operation = $wait.number; message = (ConvertTo-Shown $message) })
        }
        catch { [void] $ended.Add(@{ operation = $wait.number; failed = @{} }) }
    }
    return @{ outcomes = $ended.ToArray() }
}

function ConvertTo-Shown($message) {
    if ($message.MessageType -eq [System.Messaging.MessageType]::Acknowledgment) {
        $positive = "$($message.Acknowledgment)" -in 'ReachQueue', 'Receive'
        $about = @{ of = $message.CorrelationId; positive = $positive }
        return @{ message = 'acknowledgment'; id = $message.Id; acknowledgment = $about }
    }
    $shown = @{ message = (ConvertFrom-Json $message.Label); id = $message.Id }
    if ($message.CorrelationId -notlike '00000000-0000-0000-0000-000000000000\*') { $shown.correlation = $message.CorrelationId }
    if ($null -ne $message.ResponseQueue) {
        $name = $message.ResponseQueue.QueueName -replace '^.*mqconform-', ''
        $shown.response_queue = @{ direct = @{ machine = $Machine; queue = $name } }
    }
    return $shown
}

function Invoke-CreateCursor($params) {
    $number = New-Number
    $Cursors["$number"] = (Get-Known $Handles $params.handle).queue.CreateCursor()
    return @{ cursor = $number }
}

function Invoke-CloseCursor($params) {
    if ($Cursors.ContainsKey("$($params.cursor)")) { $Cursors["$($params.cursor)"].Close(); $Cursors.Remove("$($params.cursor)") }
    return @{}
}

# Transactions

function Invoke-Begin($params) {
    if ($params.kind -ne 'internal') { throw [NotOffered] 'external transactions' }
    $transaction = New-Object System.Messaging.MessageQueueTransaction
    $transaction.Begin()
    $number = New-Number
    $Transactions["$number"] = $transaction
    return @{ transaction = $number }
}

function Invoke-Commit($params) {
    (Get-Known $Transactions $params.transaction).Commit()
    $Transactions.Remove("$($params.transaction)")
    return @{ committed = $true }
}

function Invoke-Abort($params) {
    (Get-Known $Transactions $params.transaction).Abort()
    $Transactions.Remove("$($params.transaction)")
    return @{}
}

# The protocol

function Get-Description {
    $version = [Environment]::OSVersion.Version.ToString()
    return @{
        protocol = 1; name = 'MSMQ'; version = $version; vendor = 'Microsoft'; roles = @('queue_manager')
        capabilities = @('real-clock', 'restart', 'transactions', 'cursors', 'management'); specs = @{ MQSO = '18.0' }
    }
}

$Methods = @{
    'initialize' = { Get-Description }; 'reset' = { @{} }; 'shutdown' = { @{} }
    'queue_manager.configure' = { Invoke-Configure $args[0] }; 'queue_manager.start' = { Invoke-Start }
    'queue_manager.stop' = { Invoke-Stop }; 'queue_manager.crash' = { Invoke-Crash }
    'queue_manager.state' = { Invoke-State }; 'queue_manager.advance_clock' = { @{} } # time has passed already
    'queue_manager.create_queue' = { Invoke-CreateQueue $args[0] }; 'queue_manager.set_queue' = { Invoke-SetQueue $args[0] }
    'queue_manager.delete_queue' = { Invoke-DeleteQueue $args[0] }; 'queue_manager.purge' = { Invoke-Purge $args[0] }
    'queue_manager.queue_properties' = { Invoke-QueueProperties $args[0] }; 'queue_manager.open' = { Invoke-Open $args[0] }
    'queue_manager.close' = { Invoke-Close $args[0] }; 'queue_manager.send' = { Invoke-Send $args[0] }
    'queue_manager.receive' = { Invoke-Receive $args[0] }; 'queue_manager.peek' = { Invoke-Peek $args[0] }
    'queue_manager.cancel' = { Invoke-Cancel $args[0] }; 'queue_manager.outcomes' = { Invoke-Outcomes }
    'queue_manager.create_cursor' = { Invoke-CreateCursor $args[0] }
    'queue_manager.close_cursor' = { Invoke-CloseCursor $args[0] }; 'queue_manager.begin' = { Invoke-Begin $args[0] }
    'queue_manager.commit' = { Invoke-Commit $args[0] }; 'queue_manager.abort' = { Invoke-Abort $args[0] }
}

# A failure of MSMQ is an answer; what is not offered and everything else is an error.
function Get-Answer($request) {
    $answer = @{ jsonrpc = '2.0'; id = $request.id }
    if (-not $Methods.ContainsKey($request.method)) {
        $answer.error = @{ code = -32601; message = "there is no method $($request.method)" }
        return $answer
    }
    $params = if (Test-Given $request 'params') { $request.params } else { New-Object PSObject }
    try { $answer.result = & $Methods[$request.method] $params }
    catch [NotOffered] { $answer.error = @{ code = -32601; message = $_.Exception.Message } }
    catch [System.Messaging.MessageQueueException] {
        $answer.result = @{ failed = @{ code = "$($_.Exception.GetBaseException().MessageQueueErrorCode)"; says = $_.Exception.Message } }
    }
    catch [System.InvalidOperationException] { $answer.result = @{ failed = @{ says = $_.Exception.Message } } }
    catch { $answer.error = @{ code = -32603; message = $_.Exception.Message } }
    return $answer
}

while ($null -ne ($line = [Console]::In.ReadLine())) {
    $request = ConvertFrom-Json $line
    [Console]::Out.WriteLine((ConvertTo-Json (Get-Answer $request) -Compress -Depth 10))
    [Console]::Out.Flush()
    if ($request.method -eq 'shutdown') { break }
}
