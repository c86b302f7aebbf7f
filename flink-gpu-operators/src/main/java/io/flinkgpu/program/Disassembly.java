package io.flinkgpu.program;

import io.flinkgpu.api.Form;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.expression.Expressions;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes a program as text. Columns read have their names, computed ones are {@code #} and their
 * number; t, n and c are registers.
 */
final class Disassembly {

    private final List<String> columns = new ArrayList<>();
    private final StringBuilder out = new StringBuilder();

    private Disassembly() {}

    static String of(Program program) {
        return new Disassembly().write(program);
    }

    private String write(Program program) {
        List<String> reads = new ArrayList<>();
        for (int i = 0; i < program.columns().size(); i++) {
            String column = Expressions.col(program.columns().get(i)).toString();
            columns.add(column);
            reads.add(column + " " + program.types().get(i));
        }
        line("read " + String.join(", ", reads));
        program.steps().forEach(this::write);
        line("results " + String.join(", ", program.results().stream().map(columns::get).toList()));
        return out.toString();
    }

    private void write(Step step) {
        if (step instanceof Pass pass) {
            write(pass);
        } else if (step instanceof RedactStep redact) {
            RuleSet rules = redact.rules().ruleSet();
            copy("redact " + columns.get(redact.column()) + " " + rules + texts(rules));
        } else if (step instanceof HashStep hash) {
            copy("hash " + columns.get(hash.column()));
        }
    }

    private void write(Pass pass) {
        line("pass");
        PassText text = new PassText(pass, List.copyOf(columns));
        for (Instruction instruction : pass.instructions()) {
            line("  " + text.of(instruction));
        }
        for (PassOutput output : pass.outputs()) {
            line("  " + newColumn() + " " + output.type() + " = " + text.of(output));
        }
    }

    /** What else than the text is searched; made, and finished where something is found, on the host. */
    private static String texts(RuleSet rules) {
        String forms = rules.forms().stream().map(Form::key).collect(Collectors.joining(", "));
        return (forms.isEmpty() ? "" : ", views by the host of " + forms)
                + rules.structure().map(it -> ", fields by the host of " + it.format()).orElse("");
    }

    private void copy(String what) {
        line(newColumn() + " TEXT = " + what);
    }

    private String newColumn() {
        String name = "#" + columns.size();
        columns.add(name);
        return name;
    }

    private void line(String line) {
        out.append(line).append('\n');
    }
}
