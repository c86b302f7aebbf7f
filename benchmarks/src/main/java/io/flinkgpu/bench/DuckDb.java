package io.flinkgpu.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB in this process, where its driver is on the class path; one thread's. */
final class DuckDb implements AutoCloseable {

    private final Connection connection;

    private DuckDb(Connection connection) {
        this.connection = connection;
    }

    /** Whether the driver is there. */
    static boolean isThere() {
        return DriverManager.drivers()
                .anyMatch(driver -> driver.getClass().getName().contains("duckdb"));
    }

    /** A database in memory. */
    static DuckDb open(int threads) throws SQLException {
        DuckDb opened = new DuckDb(DriverManager.getConnection("jdbc:duckdb:"));
        try (Statement statement = opened.connection.createStatement()) {
            statement.execute("SET threads = " + threads);
            statement.execute("SET preserve_insertion_order = false");
        }
        return opened;
    }

    String version() throws SQLException {
        return connection.getMetaData().getDatabaseProductVersion();
    }

    /**
     * Groups the lines of a file by key; every group is computed, and only sums of them come back.
     *
     * @return groups, lines, minima and maxima added, in tenths
     */
    long[] groups(Path file) throws SQLException {
        String sql =
                "SELECT count(*), sum(n), sum(least), sum(most), sum(mean) FROM (SELECT k, min(v)"
                        + " AS least, avg(v) AS mean, max(v) AS most, count(*) AS n FROM read_csv('"
                        + file
                        + "', header = false, delim = ';', quote = '', escape = '', auto_detect = false,"
                        + " columns = {'k': 'VARCHAR', 'v': 'DOUBLE'}) GROUP BY k)";
        try (Statement statement = connection.createStatement();
                ResultSet sums = statement.executeQuery(sql)) {
            sums.next();
            return new long[] {
                sums.getLong(1),
                sums.getLong(2),
                Math.round(10 * sums.getDouble(3)),
                Math.round(10 * sums.getDouble(4))
            };
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
