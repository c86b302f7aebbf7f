package io.flinkgpu.examples;

import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

import java.nio.file.Files;
import java.nio.file.Path;

/** Redacts the lines of a file in SQL: of the first argument, or of a file that is made up. */
public final class FirstSql {

    private FirstSql() {}

    public static void main(String[] args) throws Exception {
        Path file = args.length > 0 ? Path.of(args[0]) : Files.createTempFile("logs", ".txt");
        if (args.length == 0) {
            Files.writeString(file, "login of jane@example.com\n3 items in the basket\n");
        }
        TableEnvironment sql = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        sql.executeSql("LOAD MODULE gpu");
        sql.executeSql(
                """
                CREATE TABLE logs (line STRING)
                WITH ('connector' = 'gpu-lines', 'path' = '%s')
                """
                        .formatted("file:" + file.toAbsolutePath().toString().replace("'", "''")));
        sql.executeSql("SELECT REDACT(line) AS redacted FROM logs").print();
    }
}
