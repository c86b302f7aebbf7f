package io.flinkgpu.testkit;

import io.flinkgpu.api.expression.Expression;
import io.flinkgpu.program.Program;
import io.flinkgpu.program.ProgramCompiler;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * Expressions and rows to compare a transformer with the oracle on.
 *
 * @param shape how the rows become a batch
 */
public record ExpressionCase(
        List<Expression> expressions, TransformInput input, Transformer.Shape shape) {

    public static final byte[] HASH_KEY = TestRequests.KEY;

    public static ExpressionCase of(TransformInput input, Expression... expressions) {
        return new ExpressionCase(List.of(expressions), input, Transformer.Shape.PLAIN);
    }

    /**
     * Compiles the expressions.
     *
     * @throws IllegalArgumentException when they are refused
     */
    Program compile() {
        return ProgramCompiler.compile(input.columns(), expressions);
    }

    /** Pairs of an expression and a row. */
    int pairs() {
        return expressions.size() * rows().size();
    }

    private List<Map<String, Object>> rows() {
        List<Map<String, Object>> rows = input.rows();
        return shape.cutFrom() == 0 ? rows : rows.subList(shape.cutFrom(), rows.size() - 1);
    }

    /**
     * Runs both.
     *
     * @return null if they agree, else what differs
     * @throws IllegalArgumentException when the expressions are refused
     */
    public String difference(Transformer transformer) {
        Program program;
        try {
            program = compile();
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            return this + "\n  does not compile: " + trace(e);
        }
        return difference(transformer, program);
    }

    String difference(Transformer transformer, Program program) {
        List<List<Object>> actual;
        try {
            actual = transformer.transform(program, input, shape);
        } catch (Exception | LinkageError | AssertionError e) {
            return this + "\n  threw " + trace(e);
        }
        ExpressionOracle oracle = new ExpressionOracle(HASH_KEY);
        List<Map<String, Object>> rows = rows();
        for (int i = 0; i < expressions.size(); i++) {
            if (actual.get(i).size() != rows.size()) {
                return this + "\n  rows: " + actual.get(i).size();
            }
            for (int row = 0; row < rows.size(); row++) {
                Object expected = oracle.evaluate(expressions.get(i), rows.get(row));
                Object got = actual.get(i).get(row);
                if (!same(expected, got)) {
                    return this
                            + ("\n  expression " + i + ", row " + row + " " + shown(rows.get(row)))
                            + ("\n  expected " + shown(expected))
                            + ("\n  got      " + shown(got));
                }
            }
        }
        return null;
    }

    /** Smaller cases, the smallest first. */
    List<ExpressionCase> simpler() {
        List<ExpressionCase> simpler = new ArrayList<>();
        for (int i = 0; i < expressions.size() && expressions.size() > 1; i++) {
            List<Expression> fewer = new ArrayList<>(expressions);
            fewer.remove(i);
            simpler.add(new ExpressionCase(fewer, input, shape));
        }
        if (!shape.equals(Transformer.Shape.PLAIN)) {
            TransformInput plain = new TransformInput(input.columns(), rows());
            simpler.add(new ExpressionCase(expressions, plain, Transformer.Shape.PLAIN));
        }
        int rows = input.rows().size();
        for (int part = rows / 2; part > 0 && shape.cutFrom() == 0; part /= 2) {
            for (int from = 0; from + part <= rows; from += part) {
                List<Map<String, Object>> fewer = new ArrayList<>(input.rows());
                fewer.subList(from, from + part).clear();
                simpler.add(withRows(fewer));
            }
        }
        for (int i = 0; i < expressions.size(); i++) {
            for (Expression expression : ExpressionRebuild.simpler(expressions.get(i))) {
                List<Expression> others = new ArrayList<>(expressions);
                others.set(i, expression);
                simpler.add(new ExpressionCase(others, input, shape));
            }
        }
        if (rows <= 3) {
            addSimplerRows(simpler);
        }
        return simpler;
    }

    private void addSimplerRows(List<ExpressionCase> simpler) {
        for (int i = 0; i < input.rows().size(); i++) {
            for (Map.Entry<String, Object> entry : input.rows().get(i).entrySet()) {
                for (Object value : simplerValues(entry.getValue())) {
                    List<Map<String, Object>> others = new ArrayList<>(input.rows());
                    Map<String, Object> row = new LinkedHashMap<>(others.get(i));
                    row.put(entry.getKey(), value);
                    others.set(i, row);
                    simpler.add(withRows(others));
                }
            }
        }
    }

    private static List<Object> simplerValues(Object value) {
        List<Object> simpler = new ArrayList<>();
        if (value != null) {
            simpler.add(null);
        }
        if (value instanceof byte[] bytes) {
            for (int part = bytes.length; part > 0; part /= 2) {
                for (int from = 0; from + part <= bytes.length; from += part) {
                    byte[] fewer = new byte[bytes.length - part];
                    System.arraycopy(bytes, 0, fewer, 0, from);
                    System.arraycopy(bytes, from + part, fewer, from, fewer.length - from);
                    simpler.add(fewer);
                }
            }
        }
        return simpler;
    }

    private ExpressionCase withRows(List<Map<String, Object>> rows) {
        return new ExpressionCase(expressions, new TransformInput(input.columns(), rows), shape);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (Expression expression : expressions) {
            out.append("\n  ").append(ExpressionSource.of(expression));
        }
        return out.append("\n  " + input.rows().size() + " rows, " + shape).toString();
    }

    private static String trace(Throwable e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    private String shown(Map<String, Object> row) {
        StringJoiner shown = new StringJoiner(", ", "row(", ")");
        row.forEach(
                (name, value) -> {
                    if (value != null) {
                        shown.add(Fuzz.javaLiteral(name) + ", " + shown(value));
                    }
                });
        return shown.toString();
    }

    private static String shown(Object value) {
        String shown = ExpressionSource.ofValue(value);
        return shown.length() < 2000 ? shown : shown.substring(0, 2000) + "...";
    }

    private static boolean same(Object expected, Object got) {
        if (expected instanceof byte[] bytes && got instanceof byte[] others) {
            return Arrays.equals(bytes, others);
        }
        if (expected instanceof Double number && got instanceof Double other) {
            return Double.doubleToRawLongBits(number) == Double.doubleToRawLongBits(other);
        }
        return Objects.equals(expected, got);
    }
}
