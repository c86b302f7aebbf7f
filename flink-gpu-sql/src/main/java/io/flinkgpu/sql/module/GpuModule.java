package io.flinkgpu.sql.module;

import io.flinkgpu.sql.functions.HashHmacFunction;
import io.flinkgpu.sql.functions.MaskFunction;
import io.flinkgpu.sql.functions.RedactFunction;
import io.flinkgpu.sql.rules.NamedRules;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.module.Module;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The functions {@code REDACT}, {@code HASH_HMAC} and {@code MASK}. */
@PublicEvolving
public final class GpuModule implements Module {

    private final Map<String, FunctionDefinition> functions;

    /**
     * @param rules what {@code REDACT} knows by name, and the key of {@code HASH_HMAC}
     */
    public GpuModule(NamedRules rules) {
        functions =
                Map.of(
                        "REDACT", new RedactFunction(rules),
                        "HASH_HMAC", new HashHmacFunction(rules.hashKey().orElse(null)),
                        "MASK", new MaskFunction());
    }

    @Override
    public Set<String> listFunctions() {
        return functions.keySet();
    }

    @Override
    public Optional<FunctionDefinition> getFunctionDefinition(String name) {
        return Optional.ofNullable(functions.get(name.toUpperCase(Locale.ROOT)));
    }
}
