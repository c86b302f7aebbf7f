package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.util.List;

/**
 * A rule set that cannot be compiled, with every error in it. Each message is one line: rule name,
 * index, offset, construct and what to do.
 */
@PublicEvolving
public final class RuleException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final List<String> errors;

    /** An exception for all errors of a rule set, a line each. */
    public RuleException(List<String> errors) {
        super(String.join(System.lineSeparator(), Errors.present("errors", errors)));
        this.errors = List.copyOf(errors);
    }

    /** One line an error, in rule order. */
    public List<String> errors() {
        return errors;
    }
}
