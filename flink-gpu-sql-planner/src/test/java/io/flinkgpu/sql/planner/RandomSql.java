package io.flinkgpu.sql.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Expressions of SQL over the columns of {@link RandomRowData}, as text; all constants are safe to quote. */
final class RandomSql {

    private static final List<String> TEXTS =
            List.of(
                    "", " ", "a", "ab", "é", "€", "😀", "public", "aa", "ß", "İ", "X X", ",", ", ",
                    "a,b", "%");

    private static final List<String> SEARCHED =
            List.of("a", "ab", ",", " ", "é", "😀", "aa", "€a");

    private static final List<String> PATTERNS =
            List.of("a%", "%a", "%a%", "ab", "%é", "%, %", "😀%", "%public%");

    private static final List<String> REGEXES =
            List.of(
                    "a+",
                    "[a-z]{2,}",
                    "\\d{2,}|€",
                    "\\bab",
                    "(?:a|ab)(?:b|c)",
                    "[^,a]+",
                    "(?i)public",
                    "\\s",
                    "^a",
                    "a$",
                    "[😀é]",
                    ".{3}");

    private final Random random;

    /** Whether functions are in it that stay Flink's. */
    private final boolean mixed;

    RandomSql(Random random, boolean mixed) {
        this.random = random;
        this.mixed = mixed;
    }

    /** The columns of a SELECT: texts, conditions and numbers, each of at least some work. */
    List<String> columns(int count) {
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(
                    switch (random.nextInt(6)) {
                        case 0 -> "CHAR_LENGTH(" + text(3) + ")";
                        case 1 -> condition(3) + " AND " + text(1) + " LIKE 'a%'";
                        default -> "CONCAT(" + text(3) + ", " + text(1) + ")";
                    });
        }
        return columns;
    }

    String text(int depth) {
        if (mixed && random.nextInt(8) == 0) {
            return foreignText(depth);
        }
        if (depth == 0 || random.nextInt(6) == 0) {
            return random.nextInt(5) == 0 ? quoted(any(TEXTS)) : any(List.of("s", "t", "u", "c"));
        }
        int less = depth - 1;
        return switch (random.nextInt(20)) {
            case 0 -> "CONCAT(%s, %s, %s)".formatted(text(less), text(less), text(less));
            case 1 -> "(%s || %s)".formatted(text(less), text(less));
            case 2 -> "LEFT(%s, %d)".formatted(text(less), 1 + random.nextInt(4));
            case 3 -> "RIGHT(%s, %d)".formatted(text(less), 1 + random.nextInt(4));
            case 4 -> "SUBSTRING(%s FROM %d)".formatted(text(less), 1 + random.nextInt(4));
            case 5 ->
                    "SUBSTRING(%s, %d, %d)"
                            .formatted(text(less), 1 + random.nextInt(4), 1 + random.nextInt(4));
            case 6 -> "TRIM(%s)".formatted(text(less));
            case 7 -> "UPPER(%s)".formatted(text(less));
            case 8 -> "LOWER(%s)".formatted(text(less));
            case 9 ->
                    "REPLACE(%s, %s, %s)"
                            .formatted(text(less), quoted(any(SEARCHED)), quoted(any(TEXTS)));
            case 10 ->
                    "SPLIT_INDEX(%s, %s, %d)"
                            .formatted(text(less), quoted(any(SEARCHED)), random.nextInt(3));
            case 11 ->
                    "CASE WHEN %s THEN %s WHEN %s THEN %s ELSE %s END"
                            .formatted(
                                    condition(less),
                                    text(less),
                                    condition(less),
                                    text(less),
                                    text(less));
            case 12 -> "CASE WHEN %s THEN %s END".formatted(condition(less), text(less));
            case 13 -> "COALESCE(%s, %s)".formatted(text(less), text(less));
            case 14 -> "IF(%s, %s, %s)".formatted(condition(less), text(less), text(less));
            case 15 ->
                    "%sPAD(%s, %d, %s)"
                            .formatted(
                                    any(List.of("L", "R")),
                                    text(less),
                                    1 + random.nextInt(6),
                                    quoted(any(List.of("a", " ", "-"))));
            case 16 ->
                    "MASK(%s, %d, %d, %s)"
                            .formatted(
                                    text(less),
                                    random.nextInt(3),
                                    random.nextInt(3),
                                    quoted(any(List.of("*", "#"))));
            case 17 ->
                    "CASE WHEN %s THEN CAST(%s AS STRING) ELSE %s END"
                            .formatted(condition(less), arithmetic(), text(less));
            case 18 -> random.nextInt(4) == 0 ? "HASH_HMAC(%s)".formatted(text(less)) : text(less);
            default ->
                    "REGEXP_REPLACE(%s, %s, %s)"
                            .formatted(
                                    text(less),
                                    quoted(any(REGEXES)),
                                    quoted(any(List.of("X", "[é]", "$1", "aa"))));
        };
    }

    private String foreignText(int depth) {
        int less = Math.max(0, depth - 1);
        return switch (random.nextInt(6)) {
            case 0 -> "MD5(%s)".formatted(text(less));
            case 1 -> "REVERSE(%s)".formatted(text(less));
            case 2 -> "CAST(%s AS STRING)".formatted(random.nextBoolean() ? "m" : number(less));
            case 3 -> "INITCAP(%s)".formatted(text(less));
            case 4 -> "LEFT(%s, i)".formatted(text(less));
            default -> "REPLACE(%s, s, 'x')".formatted(text(less));
        };
    }

    String condition(int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return any(
                    List.of(
                            "b",
                            "(i > 3)",
                            mixed ? "(d < 0.5)" : "(d < CAST(0.5 AS DOUBLE))",
                            "(s = t)",
                            "(l IN (1, 2, 7))"));
        }
        int less = depth - 1;
        return switch (random.nextInt(16)) {
            case 0 -> "(%s = %s)".formatted(text(less), text(less));
            case 1 -> "(%s <> %s)".formatted(text(less), text(less));
            case 2 -> "(%s LIKE %s)".formatted(text(less), quoted(any(PATTERNS)));
            case 3 -> "(%s NOT LIKE %s)".formatted(text(less), quoted(any(PATTERNS)));
            case 4 -> "(%s IS NULL)".formatted(text(less));
            case 5 -> "(%s IS NOT NULL)".formatted(text(less));
            case 6 -> "(%s AND %s)".formatted(condition(less), condition(less));
            case 7 -> "(%s OR %s)".formatted(condition(less), condition(less));
            case 8 -> "(NOT %s)".formatted(condition(less));
            case 9 ->
                    "(%s %s)"
                            .formatted(
                                    condition(less),
                                    any(
                                            List.of(
                                                    "IS TRUE",
                                                    "IS NOT TRUE",
                                                    "IS FALSE",
                                                    "IS NOT FALSE")));
            case 10 -> "STARTSWITH(%s, %s)".formatted(text(less), text(less));
            case 11 -> "ENDSWITH(%s, %s)".formatted(text(less), quoted(any(SEARCHED)));
            case 12 -> "(%s IN ('a', 'é', 'aa'))".formatted(text(less));
            case 13 -> "REGEXP(%s, %s)".formatted(text(less), quoted(any(REGEXES)));
            case 14 ->
                    "(%s %s %s)"
                            .formatted(
                                    number(less),
                                    any(List.of("<", ">", "<=", ">=", "=", "<>")),
                                    number(less));
            default ->
                    "(d %s %s)"
                            .formatted(
                                    any(List.of("<", ">", "<=", ">=", "=", "<>")),
                                    any(List.of("CAST(0 AS DOUBLE)", "CAST(0.5 AS DOUBLE)")));
        };
    }

    /** Numbers that Flink's code computes before batches, without errors. */
    private String arithmetic() {
        return any(
                List.of(
                        "i + 1",
                        "l * 3 - i",
                        "-l",
                        "d",
                        "d * 2",
                        "i",
                        "i / 3",
                        "MOD(l, 7)",
                        "l / -1",
                        "d / l",
                        "CAST(l AS INT)",
                        "CAST(d AS BIGINT) + 1",
                        "CAST(i AS SMALLINT) * 2",
                        "CAST(l AS DOUBLE) / i"));
    }

    private String number(int depth) {
        return switch (random.nextInt(depth == 0 ? 3 : 5)) {
            case 0 -> "i";
            case 1 -> "CAST(i AS BIGINT)";
            case 2 -> String.valueOf(random.nextInt(8));
            case 3 -> mixed ? "(i + 1)" : "l";
            default -> "CHAR_LENGTH(%s)".formatted(text(depth - 1));
        };
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
