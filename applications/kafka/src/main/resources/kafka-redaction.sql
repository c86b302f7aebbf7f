SET 'execution.checkpointing.interval' = '2s';

LOAD MODULE gpu;

-- The raw format takes a value as it is, as a text. The job ends with what is there when it starts:
-- leave scan.bounded.mode out, and it goes on.
CREATE TABLE logs (
  service STRING,
  line STRING,
  sent TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
  headers MAP<STRING, BYTES> METADATA,
  WATERMARK FOR sent AS sent - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'logs',
  'properties.bootstrap.servers' = '${bootstrap-servers}',
  'properties.group.id' = 'kafka-sql',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'key.format' = 'raw',
  'key.fields' = 'service',
  'value.format' = 'raw',
  'value.fields-include' = 'EXCEPT_KEY'
);

CREATE TABLE redacted (
  service STRING,
  line STRING,
  sent TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
  headers MAP<STRING, BYTES> METADATA
) WITH (
  'connector' = 'kafka',
  'topic' = 'logs-redacted',
  'properties.bootstrap.servers' = '${bootstrap-servers}',
  'properties.transaction.timeout.ms' = '600000',
  'key.format' = 'raw',
  'key.fields' = 'service',
  'value.format' = 'raw',
  'value.fields-include' = 'EXCEPT_KEY',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = 'redaction-sql:logs-redacted:',
  'sink.transaction-naming-strategy' = 'POOLING'
);

CREATE TABLE statistics (
  service STRING,
  `start` TIMESTAMP(3),
  messages BIGINT,
  longest INT
) WITH (
  'connector' = 'kafka',
  'topic' = 'logs-statistics',
  'properties.bootstrap.servers' = '${bootstrap-servers}',
  'properties.transaction.timeout.ms' = '600000',
  'format' = 'json',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = 'redaction-sql:logs-statistics:',
  'sink.transaction-naming-strategy' = 'POOLING'
);

-- One job: the topic is read once.
EXECUTE STATEMENT SET BEGIN
  INSERT INTO redacted SELECT service, REDACT(line), sent, headers FROM logs;

  INSERT INTO statistics
  SELECT service, window_start, COUNT(*), MAX(CHAR_LENGTH(line))
  FROM TABLE(TUMBLE(TABLE logs, DESCRIPTOR(sent), INTERVAL '10' SECOND))
  GROUP BY service, window_start, window_end;
END;
