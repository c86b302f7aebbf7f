package io.flinkgpu.sql.module;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.sql.functions.RedactFunction;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModuleFactory;
import org.apache.flink.table.module.Module;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What {@code LOAD MODULE gpu} makes of its options.
 *
 * <p>Covers: GpuModuleFactory.
 */
class GpuModuleFactoryTest {

    @TempDir Path directory;

    @Test
    void ruleSetsByName() throws IOException {
        Path rules = write("rules: [{name: a, regex: 'a+', label: '[A]'}]");
        Module module =
                load(
                        Map.of(
                                "rules.mine.path", rules.toString(),
                                "rules.with.dots.path", rules.toString(),
                                "hash-key.path", "/not/read/here"));
        assertThat(module.listFunctions()).containsExactlyInAnyOrder("REDACT", "HASH_HMAC", "MASK");
        RedactFunction redact =
                (RedactFunction) module.getFunctionDefinition("redact").orElseThrow();
        assertThat(redact.rules().get("mine").rule(0).name()).isEqualTo("a");
        assertThat(redact.rules().get("with.dots").size()).isEqualTo(1);
        assertThat(redact.rules().get("default").size()).isGreaterThan(10);
        assertThat(redact.rules().hashKey().orElseThrow()).hasToString("file '/not/read/here'");
        assertThat(module.getFunctionDefinition("upper")).isEmpty();
    }

    @Test
    void rulesInThePlaceOfTheBuiltInOnes() throws IOException {
        Path rules = write("rules: [{name: a, regex: 'a+', label: '[A]'}]");
        Module module = load(Map.of("rules.default.path", rules.toString()));
        RedactFunction redact =
                (RedactFunction) module.getFunctionDefinition("REDACT").orElseThrow();
        assertThat(redact.rules().get("default").size()).isEqualTo(1);
    }

    @Test
    void whatIsRefused() throws IOException {
        assertThatThrownBy(() -> load(Map.of("rule.mine.path", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the module has no such option: option='rule.mine.path'; it has"
                                + " 'hash-key.path' and 'rules.<name>.path'");
        Path missing = directory.resolve("missing.yaml");
        assertThatThrownBy(() -> load(Map.of("rules.mine.path", missing.toString())))
                .isInstanceOf(RuleException.class)
                .hasMessage(missing + ": no such file; check the path");
        Path unclosed = write("rules: [{name: a, regex: '(a', label: '[A]'}]");
        assertThatThrownBy(() -> load(Map.of("rules.mine.path", unclosed.toString())))
                .isInstanceOf(RuleException.class)
                .hasMessageContaining("rule 'a'");
    }

    private Path write(String rules) throws IOException {
        return Files.writeString(directory.resolve("rules.yaml"), rules);
    }

    /** As Flink does: the factory is found by its name. */
    private static Module load(Map<String, String> options) {
        ClassLoader classLoader = GpuModuleFactoryTest.class.getClassLoader();
        return FactoryUtil.discoverFactory(classLoader, ModuleFactory.class, "gpu")
                .createModule(
                        new ModuleFactory.Context() {
                            @Override
                            public Map<String, String> getOptions() {
                                return options;
                            }

                            @Override
                            public ReadableConfig getConfiguration() {
                                return new Configuration();
                            }

                            @Override
                            public ClassLoader getClassLoader() {
                                return classLoader;
                            }
                        });
    }
}
