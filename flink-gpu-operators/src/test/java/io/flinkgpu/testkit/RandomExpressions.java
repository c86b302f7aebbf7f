package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Condition;
import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.api.expression.Expressions;
import io.flinkgpu.api.expression.NumberExpression;
import io.flinkgpu.api.expression.TextExpression;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Trees of operations of all kinds over the columns of {@link RandomRows}; they share subtrees. */
public final class RandomExpressions {

    private static final RuleSet RULES =
            RuleSet.of(
                    Rule.of("email", "[a-z0-9.]+@(?:[a-z0-9]+\\.)+[a-z]{2,}", Action.label("[é]")),
                    Rule.of("digits", "\\d{2,}", Action.maskKeepLast(2)),
                    Rule.of("word", "secret|€+", Action.hash("<", 16, ">")),
                    Rule.of("gone", "A.", Action.drop()));

    private static final RuleSet ONE_RULE = RuleSet.of(Rule.of("a", "a+", Action.label("")));

    private static final List<String> REGEXES =
            List.of(
                    "",
                    "a*",
                    "a|aba",
                    "(?:a|ab)(?:b|c)?",
                    "[^,]*",
                    ".*é.*",
                    "(?s).*",
                    "(?i)public",
                    "\\w+( \\w+)*",
                    "\\d{4}\\b.*",
                    "(?s).{3}",
                    "(?s).*[€😀]",
                    "[\\x{10000}-\\x{10ffff}]+");

    private static final List<String> LITERALS =
            List.of(
                    "", "", " ", "X X", "a", "é", "€", "😀", "public", "aa", "ß", "İ", "<...>",
                    "4");

    private final Random random;
    private final RandomRows texts;
    private final List<Expression> made = new ArrayList<>();

    public RandomExpressions(Random random) {
        this.random = random;
        this.texts = new RandomRows(random);
    }

    /** Expressions of any type, of so many levels at most. */
    public List<Expression> several(int count, int depth) {
        List<Expression> several = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            several.add(
                    switch (random.nextInt(8)) {
                        case 0 -> number(random.nextBoolean(), depth);
                        case 1 -> condition(depth);
                        default -> text(depth);
                    });
        }
        return several;
    }

    TextExpression text(int depth) {
        TextExpression shared = shared(TextExpression.class, ColumnType.TEXT);
        if (shared != null) {
            return shared;
        }
        return made(depth == 0 ? leaf() : ofTexts(depth - 1));
    }

    private TextExpression leaf() {
        if (random.nextInt(4) > 0) {
            return Expressions.col("t" + random.nextInt(3));
        }
        return Expressions.lit(random.nextInt(9) == 0 ? null : texts.pick(LITERALS));
    }

    private TextExpression ofTexts(int depth) {
        return switch (random.nextInt(22)) {
            case 0, 1 -> text(depth).left(count());
            case 2 -> text(depth).right(count());
            case 3 -> text(depth).substring(count());
            case 4 -> text(depth).substring(count(), count());
            case 5, 6 -> text(depth).before(texts.pick(RandomRows.SEPARATORS));
            case 7, 8 -> text(depth).after(texts.pick(RandomRows.SEPARATORS));
            case 9 -> text(depth).splitPart(texts.pick(RandomRows.SEPARATORS), 1 + small());
            case 10 -> text(depth).trim();
            case 11 -> text(depth).upper();
            case 12 -> text(depth).lower();
            case 13 -> text(depth).replace(texts.pick(RandomRows.SEPARATORS), texts.pick(LITERALS));
            case 14, 15, 16 -> Expressions.concat(text(depth), more(depth));
            case 17, 18 ->
                    Expressions.when(condition(depth)).then(text(depth)).otherwise(text(depth));
            case 19 -> Expressions.coalesce(text(depth), more(depth));
            case 20 -> rare(depth);
            default -> leaf();
        };
    }

    private TextExpression rare(int depth) {
        return switch (random.nextInt(6)) {
            case 0, 1 -> text(depth).redact(random.nextBoolean() ? RULES : ONE_RULE);
            case 2 -> text(depth).hashHmac();
            default -> text(depth);
        };
    }

    private TextExpression[] more(int depth) {
        TextExpression[] more = new TextExpression[small()];
        for (int i = 0; i < more.length; i++) {
            more[i] = text(depth);
        }
        return more;
    }

    NumberExpression number(boolean isDouble, int depth) {
        ColumnType type = isDouble ? ColumnType.DOUBLE : ColumnType.LONG;
        NumberExpression shared = shared(NumberExpression.class, type);
        if (shared != null) {
            return shared;
        }
        int kind = depth == 0 ? random.nextInt(3) : random.nextInt(7);
        return made(
                switch (kind) {
                    case 0 ->
                            isDouble
                                    ? Expressions.lit(random.nextInt(3) - 1.0)
                                    : Expressions.lit((long) random.nextInt(9) - 1);
                    case 1, 2 ->
                            isDouble
                                    ? Expressions.doubleCol("d" + random.nextInt(2))
                                    : Expressions.longCol("n" + random.nextInt(2));
                    case 3 ->
                            Expressions.when(condition(depth - 1))
                                    .then(number(isDouble, depth - 1))
                                    .otherwise(number(isDouble, depth - 1));
                    case 4 ->
                            Expressions.coalesce(
                                    number(isDouble, depth - 1), number(isDouble, depth - 1));
                    default -> isDouble ? number(isDouble, depth - 1) : text(depth - 1).length();
                });
    }

    Condition condition(int depth) {
        Condition shared = shared(Condition.class, ColumnType.BOOLEAN);
        if (shared != null) {
            return shared;
        }
        if (depth == 0) {
            boolean literal = random.nextInt(6) == 0;
            return made(
                    literal
                            ? Expressions.lit(random.nextBoolean())
                            : Expressions.booleanCol("b" + random.nextInt(2)));
        }
        return made(random.nextInt(3) > 0 ? test(depth - 1) : ofConditions(depth - 1));
    }

    /** A condition of texts or numbers. */
    private Condition test(int depth) {
        boolean isDouble = random.nextBoolean();
        return switch (random.nextInt(13)) {
            case 0 -> text(depth).contains(text(depth));
            case 1 -> text(depth).contains(texts.pick(RandomRows.SEPARATORS));
            case 2 -> text(depth).startsWith(text(depth));
            case 3 -> text(depth).startsWith(texts.pick(LITERALS));
            case 4 -> text(depth).endsWith(text(depth));
            case 5 -> text(depth).endsWith(texts.pick(LITERALS));
            case 6 -> text(depth).equalTo(text(depth));
            case 7 -> text(depth).isEmpty();
            case 8 -> text(depth).isNull();
            case 9 -> text(depth).matches(texts.pick(REGEXES));
            case 10 -> number(isDouble, depth).equalTo(number(isDouble, depth));
            case 11 -> number(isDouble, depth).lessThan(number(isDouble, depth));
            default -> number(isDouble, depth).isNull();
        };
    }

    private Condition ofConditions(int depth) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> condition(depth).and(condition(depth));
            case 2, 3 -> condition(depth).or(condition(depth));
            case 4 -> condition(depth).not();
            case 5 -> condition(depth).isNull();
            case 6 ->
                    Expressions.when(condition(depth))
                            .then(condition(depth))
                            .otherwise(condition(depth));
            default -> Expressions.coalesce(condition(depth), condition(depth));
        };
    }

    private int count() {
        return switch (random.nextInt(8)) {
            case 0 -> Integer.MAX_VALUE;
            case 1 -> 1 + random.nextInt(200);
            default -> 1 + random.nextInt(5);
        };
    }

    private int small() {
        return random.nextInt(3);
    }

    private <E extends Expression> E made(E expression) {
        made.add(expression);
        return expression;
    }

    /** Sometimes one that was made before. */
    private <E extends Expression> E shared(Class<E> kind, ColumnType type) {
        if (made.isEmpty() || random.nextInt(7) > 0) {
            return null;
        }
        Expression expression = made.get(random.nextInt(made.size()));
        return expression.type() == type ? kind.cast(expression) : null;
    }
}
