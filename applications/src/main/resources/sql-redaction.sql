SET 'execution.runtime-mode' = 'batch';
SET 'pipeline.object-reuse' = 'true';

-- Without a separator a line is one text.
CREATE TABLE logs (line STRING)
WITH ('connector' = 'gpu-lines', 'path' = '${input}');

CREATE TABLE redacted (line STRING)
WITH ('connector' = 'filesystem', 'path' = '${output}', 'format' = 'raw');

INSERT INTO redacted SELECT REDACT(line) FROM logs;

-- The first lines with a finding, of all that have one.
CREATE VIEW findings AS
SELECT line AS before, REDACT(line) AS after FROM logs;

SELECT after FROM findings WHERE after <> before LIMIT 5;

SELECT COUNT(*) AS `lines`, COUNT(*) FILTER (WHERE after <> before) AS `with findings`
FROM findings;
