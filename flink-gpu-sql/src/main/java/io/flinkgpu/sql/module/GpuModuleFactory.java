package io.flinkgpu.sql.module;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.rules.RuleFiles;
import io.flinkgpu.sql.rules.NamedRules;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.factories.ModuleFactory;
import org.apache.flink.table.module.Module;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the module of {@code LOAD MODULE gpu WITH ('rules.audit.path' = 'audit.yaml', 'hash-key.path' =
 * '/etc/key')}. Rule files are read and compiled here, where the statement runs; the key on each
 * TaskManager.
 */
@PublicEvolving
public final class GpuModuleFactory implements ModuleFactory {

    public static final String IDENTIFIER = "gpu";

    /** The file of the key of hashes, on each TaskManager. */
    public static final ConfigOption<String> HASH_KEY_PATH =
            ConfigOptions.key("hash-key.path").stringType().noDefaultValue();

    private static final Pattern RULES_PATH = Pattern.compile("rules\\.(.+)\\.path");

    @Override
    public Module createModule(Context context) {
        NamedRules rules = NamedRules.defaults();
        for (Map.Entry<String, String> option : new TreeMap<>(context.getOptions()).entrySet()) {
            Matcher path = RULES_PATH.matcher(option.getKey());
            if (path.matches()) {
                rules = rules.with(path.group(1), RuleFiles.read(Path.of(option.getValue())));
            } else if (option.getKey().equals(HASH_KEY_PATH.key())) {
                rules = rules.withHashKey(HashKey.fromFile(Path.of(option.getValue())));
            } else {
                throw Errors.argument(
                        "the module has no such option: option='%s'; it has '%s' and"
                                + " 'rules.<name>.path'",
                        option.getKey(), HASH_KEY_PATH.key());
            }
        }
        return new GpuModule(rules);
    }

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(HASH_KEY_PATH);
    }
}
