package io.flinkgpu.sql.script;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: SqlStatement.
 */
class SqlStatementTest {

    @Test
    void semicolonsInTextsNamesAndCommentsEndNothing() {
        String script =
                """
                -- first; comment
                SELECT 'a;''b', `c;d` -- e;
                  /* f;
                  g */ FROM t;

                /* only a comment; */
                ; SELECT 2 ; -- the end;
                """;
        assertThat(SqlStatement.split(script))
                .containsExactly(
                        new SqlStatement(2, "SELECT 'a;''b', `c;d` -- e;\n  /* f;\n  g */ FROM t"),
                        new SqlStatement(7, "SELECT 2"));
    }

    @Test
    void theLastStatementNeedsNoSemicolonAndAScriptNoStatement() {
        assertThat(SqlStatement.split("SHOW MODULES"))
                .containsExactly(new SqlStatement(1, "SHOW MODULES"));
        assertThat(SqlStatement.split(" \n-- nothing")).isEmpty();
        assertThat(SqlStatement.split("SELECT 'open; text")).hasSize(1);
    }

    @Test
    void aSetOfStatementsIsOne() {
        String set =
                "EXECUTE STATEMENT  SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END";
        assertThat(SqlStatement.split(set + ";\nSELECT 3;"))
                .containsExactly(new SqlStatement(1, set), new SqlStatement(2, "SELECT 3"));
    }
}
