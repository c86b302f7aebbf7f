package io.flinkgpu.testkit;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Expression;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The definition of expressions, by methods of {@code String}; shares nothing with what it judges. Texts
 * are {@link SurrogateText}; whoever makes neighbours of bytes normalizes.
 */
public final class ExpressionOracle {

    private final byte[] hashKey;

    /**
     * @param hashKey for hashes and hash actions
     */
    public ExpressionOracle(byte[] hashKey) {
        this.hashKey = hashKey;
    }

    /**
     * The value of an expression in a row.
     *
     * @param row the columns by name: {@code byte[]}, {@code Long}, {@code Double}, {@code Boolean} or
     *     null
     * @return of the same classes
     */
    public Object evaluate(Expression expression, Map<String, Object> row) {
        Object value = value(expression, row);
        return value instanceof String text ? SurrogateText.encode(text) : value;
    }

    /** A text is a String here. */
    private Object value(Expression node, Map<String, Object> row) {
        List<Expression> operands = node.operands();
        switch (node.operation()) {
            case COLUMN:
                Object column = row.get((String) node.arguments().get(0));
                return column instanceof byte[] bytes ? SurrogateText.decode(bytes) : column;
            case LITERAL:
                return node.arguments().get(0);
            case WHEN:
                boolean chosen = Boolean.TRUE.equals(value(operands.get(0), row));
                return value(operands.get(chosen ? 1 : 2), row);
            case COALESCE:
                return operands.stream()
                        .map(operand -> value(operand, row))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
            case IS_NULL:
                return value(operands.get(0), row) == null;
            case AND:
                return any(operands, false, row);
            case OR:
                return any(operands, true, row);
            default:
                List<Object> values = new ArrayList<>();
                for (Expression operand : operands) {
                    values.add(value(operand, row));
                }
                return values.contains(null) ? null : ofValues(node, values);
        }
    }

    /** Whether one is as wanted, by three-valued logic. */
    private Boolean any(List<Expression> operands, boolean wanted, Map<String, Object> row) {
        List<Object> values = new ArrayList<>();
        operands.forEach(operand -> values.add(value(operand, row)));
        if (values.contains(wanted)) {
            return wanted;
        }
        return values.contains(null) ? null : !wanted;
    }

    private Object ofValues(Expression node, List<Object> values) {
        if (node.type() == ColumnType.TEXT) {
            String text = text(node, values);
            return text == null ? null : SurrogateText.normalize(text);
        }
        Object first = values.get(0);
        return switch (node.operation()) {
            case NOT -> !(Boolean) first;
            case LESS ->
                    first instanceof Double number
                            ? number < (Double) values.get(1)
                            : (Object) ((Long) first < (Long) values.get(1));
            case EQUAL ->
                    first instanceof Double number
                            ? number.doubleValue() == ((Double) values.get(1)).doubleValue()
                            : (Object) first.equals(values.get(1));
            case LENGTH -> (long) Strings.codePoints((String) first);
            case IS_EMPTY -> ((String) first).isEmpty();
            case CONTAINS -> Strings.bytes(first).contains(Strings.bytes(values.get(1)));
            case STARTS_WITH -> Strings.bytes(first).startsWith(Strings.bytes(values.get(1)));
            case ENDS_WITH -> Strings.bytes(first).endsWith(Strings.bytes(values.get(1)));
            case MATCHES -> matches((String) first, (String) node.arguments().get(0));
            default -> throw new IllegalArgumentException("no oracle for " + node.operation());
        };
    }

    private String text(Expression node, List<Object> values) {
        List<?> arguments = node.arguments();
        String text = (String) values.get(0);
        return switch (node.operation()) {
            case CONCAT -> values.stream().map(String.class::cast).reduce("", String::concat);
            case SUBSTRING -> Strings.between(text, number(node, 0) - 1L, number(node, 1));
            case LEFT -> Strings.between(text, 0, number(node, 0));
            case RIGHT -> Strings.right(text, number(node, 0));
            case BEFORE -> Strings.before(text, (String) arguments.get(0));
            case AFTER -> Strings.after(text, (String) arguments.get(0));
            case SPLIT_PART -> Strings.part(text, (String) arguments.get(0), number(node, 1));
            case TRIM -> Strings.trimmed(text);
            case UPPER -> Strings.mapped(text, Character::toUpperCase);
            case LOWER -> Strings.mapped(text, Character::toLowerCase);
            case REPLACE -> text.replace((String) arguments.get(0), (String) arguments.get(1));
            case REDACT -> redacted(text, (RuleSet) arguments.get(0));
            case HASH_HMAC -> hash(text);
            default -> throw new IllegalArgumentException("no oracle for " + node.operation());
        };
    }

    private static int number(Expression node, int argument) {
        return (Integer) node.arguments().get(argument);
    }

    static boolean matches(String text, String regex) {
        return !SurrogateText.hasBytes(text)
                && OracleRedactor.compile(regex).matcher(new BudgetedText(text)).matches();
    }

    String redacted(String text, RuleSet rules) {
        byte[][] rows = {SurrogateText.encode(text)};
        Redactor.Redacted redacted = new OracleRedactor().redact(rules, hashKey, rows);
        return SurrogateText.decode(redacted.rows()[0]);
    }

    String hash(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(hashKey, "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(SurrogateText.encode(text)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
